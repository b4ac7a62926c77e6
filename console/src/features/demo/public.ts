// What other features use of demo companies: the buttons that add and remove them.
export { DemoControl } from './demo-control.tsx';

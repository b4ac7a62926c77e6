// What other features use of what stands in all tenants at once: the way to it.
export { GlobalButton } from './global-button.tsx';

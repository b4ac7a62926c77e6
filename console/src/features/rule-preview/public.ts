// What the pages of rules use of previews: starting one, and those that were.
export { PreviewSection } from './preview-section.tsx';
export { RetroHuntButton } from './retro-hunt-button.tsx';

// Loaded for zh-CN alone: the face has some hundred parts, of which the browser fetches what a page needs.
import '@fontsource/noto-sans-sc/400.css';
import '@fontsource/noto-sans-sc/600.css';

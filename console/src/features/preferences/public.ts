// What the settings page uses: theme, density, language and time zone.
export { PreferenceSection } from './preference-section.tsx';

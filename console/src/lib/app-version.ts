/** The name in the top bar and on the sign-in card. */
export const PRODUCT_NAME = 'Tyrian';

/** Version that the console shows; stored data of another version is cleared at start. */
export const APP_VERSION = 'v9.5.0';

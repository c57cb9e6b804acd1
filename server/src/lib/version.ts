/** Of this release; a test holds it to what the package says. */
export const VERSION = "0.1.0";

/** The version of the scan agent, which is also the one of its reports. */
export const VERSION = "1.0.0";

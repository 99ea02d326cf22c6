/** The whole browser, which also runs extensions: `CHROMIUM`, else Debian's. */
export const CHROMIUM: string

/** The browser for pages: `CHROMIUM`, else the one without windows where it is installed, else the whole one. */
export const CHROMIUM_FOR_PAGES: string

/**
 * The host of a URL without its port: endpoints of one host may have one operator; the text itself where it is no URL.
 */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)

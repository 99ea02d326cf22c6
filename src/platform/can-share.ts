/** Whether this place has what tabs share: a server has not, nor a page that is not served over https. */
export const canShare = (): boolean =>
  'indexedDB' in globalThis && 'navigator' in globalThis && 'locks' in globalThis.navigator

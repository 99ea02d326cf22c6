/** Whether this place has what tabs share: a server has not, nor a page that is not served over https. */
export const canShare = (): boolean =>
  'indexedDB' in globalThis && 'navigator' in globalThis && 'locks' in globalThis.navigator

/** The names of what tabs share: in those of databases, locks and channels. */
export const isSharedName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z0-9-]{1,40}$/.test(value)

/** The names as text, for errors. */
export const SHARED_NAMES = 'a-z, 0-9 and -, at most 40'

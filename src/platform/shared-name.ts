/** The names of what tabs share: in those of databases, locks and channels. */
export const isSharedName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z0-9-]{1,40}$/.test(value)

/** The names as text, for errors. */
export const SHARED_NAMES = 'a-z, 0-9 and -, at most 40'

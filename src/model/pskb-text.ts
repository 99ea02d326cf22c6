/** Characters of a bundle, at most: 1 MiB. */
const MAX_LENGTH = 2 ** 20

/** Whether a text has the form of a bundle: `PSKB` and hex. Its content is not read. */
export const isPskb = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= MAX_LENGTH && text.length % 2 === 0 && /^PSKB[0-9a-f]+$/i.test(text)

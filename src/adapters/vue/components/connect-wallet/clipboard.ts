/** Outcome of a copy to the clipboard. */
export type CopyOutcome = 'copied' | 'refused'

/** Browsers provide the clipboard only in secure contexts: HTTPS and localhost. */
export const hasClipboard = (): boolean => typeof navigator !== 'undefined' && 'clipboard' in navigator

/** The permissions policy of a frame or the user can deny access. */
export const writeToClipboard = (text: string): Promise<CopyOutcome> =>
  navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'refused',
  )

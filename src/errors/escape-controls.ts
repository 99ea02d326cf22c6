/** Control characters, line and paragraph separators, and characters that change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * A text of a remote party as a terminal or a log may show it: control and bidirectional characters, which forge or
 * reorder lines, as `\u001b`.
 */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

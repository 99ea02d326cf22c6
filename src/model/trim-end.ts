/** The text without the character at its end, in linear time, which an expression with `+$` does not take. */
export function trimEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

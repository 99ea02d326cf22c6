/**
 * A body that ends before its JSON does. Without a `Content-Length` nothing else shows that the connection was lost.
 */
export class CutShort extends Error {}

/** Whether this invalid JSON is the beginning of a list or a record that was cut short. */
export function endsEarly(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString && character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (!isInString && (character === '{' || character === '[')) depth++
    else if (!isInString && (character === '}' || character === ']')) depth--
  }
  return isInString || depth > 0
}

/** Whether a text is the expected one. Compares every character, so that the time does not say how many are right. */
export function isEqualText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

/** A signed transaction as JSON, from JSON or an object. Undefined if it is neither. */
export function readTransactionJson(result: unknown): string | undefined {
  if (typeof result === 'string') return result.trim().startsWith('{') ? result : undefined
  return typeof result === 'object' && result !== null ? JSON.stringify(result) : undefined
}

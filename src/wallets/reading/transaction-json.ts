/** A signed transaction as JSON text; a wallet that hands over the transaction itself has it written down. */
export function readTransactionJson(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer.trim().startsWith('{') ? answer : undefined
  return typeof answer === 'object' && answer !== null ? JSON.stringify(answer) : undefined
}

import { ChainError } from 'vue-chain'

/** An error for a person: what failed, why, and the remedy. */
export function explain(error: unknown): string {
  if (!(error instanceof ChainError)) return error instanceof Error ? error.message : String(error)
  const { message, details, hint } = error
  const what = details === '' || message.includes(details) ? message : `${message}: ${details}`
  return hint === undefined ? what : `${what}. ${hint}`
}

import { ChainError } from '../errors/chain-error.js'

/** The serializable fields of an error of a server-rendered page; `cause` stays on the server. */
export interface RenderedFailure {
  readonly name: string
  readonly message: string
  readonly code: string
  readonly details: string
  readonly hint?: string
  readonly status?: number
}

export function toRendered(error: ChainError): RenderedFailure {
  const { name, message, code, details, hint } = error
  const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined
  return { name, message, code, details, ...(hint !== undefined && { hint }), ...(status !== undefined && { status }) }
}

/** A `ChainError` with the serialized fields. */
export const fromRendered = ({ message, ...data }: RenderedFailure): ChainError =>
  Object.assign(new ChainError(message), data)

import type { ChainRestError } from '../errors/rest-error.js'

/** What a page may have shown of a failure, on its way from a server's rendering to the browser: plain, without its cause. */
export type RenderedFailure = Pick<Error, 'name' | 'message'> &
  Partial<Pick<ChainRestError, 'code' | 'hint' | 'status'>>

export function toRendered(error: Error & Partial<Pick<ChainRestError, 'code' | 'hint' | 'status'>>): RenderedFailure {
  const { name, message, code, hint, status } = error
  return { name, message, ...(code && { code }), ...(hint && { hint }), ...(status && { status }) }
}

/** The failure again, so far as it can be shown. */
export const fromRendered = ({ message, ...facts }: RenderedFailure): Error => Object.assign(new Error(message), facts)

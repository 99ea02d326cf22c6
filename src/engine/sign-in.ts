import { lazyMethods } from '../loading/lazy-methods.js'
import { loadCode } from '../loading/load-code.js'
import type { SignInResult, VerifySignInOptions } from '../operations/keys/verify-sign-in.js'

/**
 * Verifies a signed message of `createSignInMessage`: text, domain, network, times, signature, then the nonce. Loads
 * its code itself, without WASM. Resolves to the reason where it refuses; rejects with `ChainCryptoError` for a wrong
 * argument type, and with the error of `consumeNonce`.
 */
export async function verifySignInMessage(options: VerifySignInOptions): Promise<SignInResult> {
  return signIn.verify(options)
}

const signIn = /*#__PURE__*/ lazyMethods(['verify'], async () => {
  const [{ verifySignIn }, { verifyMessage }] = await Promise.all([
    loadCode(() => import('../operations/keys/verify-sign-in.js')),
    loadCode(() => import('./verification.js')),
  ])
  return { verify: (options: VerifySignInOptions) => verifySignIn({ verifyMessage }, options) }
})

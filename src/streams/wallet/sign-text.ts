import { defer, map, switchMap, type Observable } from 'rxjs'
import { ChainWalletError } from '../../errors/wallet-error.js'
import type { SignMessageResult } from '../../model/keys.js'
import type { Wallet, WalletAccount } from '../../wallets/port.js'
import { accountChanged } from './prompt-errors.js'

/**
 * Signs a message as `account`, and returns the key to verify it. The user may choose another account in the prompt,
 * and wallets do not report which one signed: the wallet must still provide the same account afterwards.
 */
export function signText$(wallet: Wallet, account: WalletAccount, message: string): Observable<SignMessageResult> {
  const { address, publicKey } = account
  if (publicKey === null) throw noPublicKey()
  return defer(() => wallet.signMessage(message, account)).pipe(
    switchMap((signature) =>
      defer(() => wallet.refresh()).pipe(
        map((after) => {
          if (after.status !== 'open' || after.account.address !== address) throw accountChanged('signMessage')
          return { message, signature, publicKeyHex: publicKey }
        }),
      ),
    ),
  )
}

const noPublicKey = (): ChainWalletError =>
  new ChainWalletError('signMessage', new Error('The wallet provides no public key for this account'), {
    code: 'unsupported',
    hint: 'Choose an account of a single key in the wallet: without its public key no signature can be verified.',
  })

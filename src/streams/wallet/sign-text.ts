import { defer, map, switchMap, type Observable } from 'rxjs'
import { ChainWalletError } from '../../errors/wallet-error.js'
import type { SignMessageResult } from '../../model/key.js'
import type { Wallet, WalletAccount } from '../../wallets/port.js'
import { otherAccount } from './prompt-errors.js'

/**
 * A text signed by `account`, with the key to verify it. While the wallet's window is open another account may be chosen
 * there, and no wallet says which one signed: it must show the same one afterwards.
 */
export function signText$(wallet: Wallet, account: WalletAccount, message: string): Observable<SignMessageResult> {
  const { address, publicKey } = account
  if (publicKey === null) throw noKey()
  return defer(() => wallet.signMessage(message, account)).pipe(
    switchMap((signature) =>
      defer(() => wallet.look()).pipe(
        map((after) => {
          if (after.status !== 'open' || after.account.address !== address) throw otherAccount('signMessage')
          return { message, signature, publicKeyHex: publicKey }
        }),
      ),
    ),
  )
}

const noKey = (): ChainWalletError =>
  new ChainWalletError('signMessage', new Error('The wallet tells no public key of this account'), {
    code: 'unsupported',
    hint: 'Choose an account of a single key in the wallet: without its public key no signature can be verified.',
  })

import { shareLatest } from '../share-latest.js'
import {
  checkChain,
  checkIndex,
  checkNext,
  type Account,
  type AccountAddress,
  type NextAddressOptions,
} from './accounts.js'
import { followChains } from './follow-chains.js'
import { createFollowedChain, type FollowedChain } from './address-chain.js'
import { issueAddress } from './issued-indexes.js'
import { scanChains, type AccountSource } from './scan-chains.js'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import { HARDENED, decodeAccountKey, childKeysOf } from '../../model/keys.js'
import { encodeAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'

interface AccountDeps extends AccountSource {
  readonly key: ExtendedPublicKey
  /** Receives the lookup of the derivation path of a followed address. */
  readonly onCreated: (keyPathOf: (address: string) => string | undefined) => void
}

type Chains = Readonly<Record<'receive' | 'change', FollowedChain>>

/** Creates an account. With `startIndex`, `next` works without a scan. */
export function createAccount(deps: AccountDeps, startIndex?: number): Account {
  const { key, network, issued, ended$ } = deps
  const chains: Chains = {
    receive: createFollowedChain((index) => key.address(false, index)),
    change: createFollowedChain((index) => key.address(true, index)),
  }
  const { receive, change } = chains
  if (startIndex !== undefined) {
    for (const chain of [receive, change]) chain.dispatch({ type: 'started', index: startIndex })
  }
  const issue = (options: NextAddressOptions): AccountAddress => {
    const { change: isChange, withinGap } = checkNext(options)
    const id = `${network}/${key.id}/${isChange ? 1 : 0}`
    return issueAddress({ id, chain: isChange ? change : receive }, withinGap, issued)
  }
  deps.onCreated((address) => keyPathOf(chains, key.path, address))
  return Object.freeze({
    // frozen: a reactive proxy of Vue would reach into the stream
    network,
    addresses$: followChains([receive, change], deps).pipe(shareLatest(ended$)),
    isChange: (address) => change.indexOf(address) !== undefined,
    address: (index, options = {}) => key.address(checkChain(options), checkIndex('index', index)),
    next: (options = {}) => new Promise((resolve) => resolve(issue(options))),
    scan: async (options = {}) => {
      const { found, basis } = await scanChains([receive, change], options, deps)
      return { receive: found[0] ?? [], change: found[1] ?? [], basis }
    },
  } satisfies Account)
}

function keyPathOf({ receive, change }: Chains, path: string, address: string): string | undefined {
  const [received, changed] = [receive.derivedIndexOf(address), change.derivedIndexOf(address)]
  if (received !== undefined) return `${path}/0/${received}`
  return changed === undefined ? undefined : `${path}/1/${changed}`
}

/** The public keys below an account key: addresses by chain and index. */
interface ExtendedPublicKey {
  /** The same text for every spelling of one key. */
  readonly id: string
  /** The path of the account: m/44'/111111'/account'. */
  readonly path: string
  address(change: boolean, index: number): string
}

/**
 * Parses the extended public key of an account, m/44'/111111'/account'. Throws `ChainCryptoError` (`invalid-key`);
 * neither the error nor its cause holds the text.
 */
export function parseExtendedPublicKey(text: unknown, network: ChainNetwork): ExtendedPublicKey {
  const { node: account } = decodeAccountKey(text, network, "m/44'/111111'/account'", invalidKey)
  const receive = childKeysOf(account.deriveChild(0))
  const change = childKeysOf(account.deriveChild(1))
  const prefix = NETWORKS[network].addressPrefix
  return {
    id: account.publicExtendedKey,
    path: `m/44'/111111'/${account.index - HARDENED}'`,
    address: (isChange, index) => encodeAddress(prefix, 'PubKey', (isChange ? change : receive)(index).subarray(1)),
  }
}

const invalidKey = (
  reason: string,
  hint = 'The extended public key of an account: kpub… or ktub….',
): ChainCryptoError =>
  new ChainCryptoError('fromExtendedPublicKey', new Error(reason), {
    code: 'invalid-key',
    argument: 'extendedPublicKey',
    hint,
  })

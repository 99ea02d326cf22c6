import type { RpcMethod } from '../../node/messages/records.js'
import { textError } from '../../wrpc/wire-error.js'
import type { FaultKind } from './fault.js'

const NEEDS_INDEX: ReadonlySet<RpcMethod> = /*#__PURE__*/ new Set<RpcMethod>([
  'getUtxosByAddresses',
  'getBalanceByAddress',
  'getBalancesByAddresses',
  'getCoinSupply',
])

const UNAVAILABLE = 'Method unavailable. Run the node with the --utxoindex argument.'

/** The node reports no UTXO index, fails the methods that need it, and accepts subscriptions that never emit. */
export const noUtxoIndex: FaultKind<Record<string, never>> = {
  about: 'Runs without the UTXO index.',
  settings: {},
  create: (_, context) => ({
    call(method) {
      if (!NEEDS_INDEX.has(method)) return undefined
      context.triggered()
      return { kind: 'refuse', error: textError(UNAVAILABLE) }
    },
    transforms: {
      getServerInfo: (info) => ({ ...info, hasUtxoIndex: false }),
      getInfo: (info) => ({ ...info, isUtxoIndexed: false }),
    },
    notifications: (batch) => batch.filter(({ type }) => type !== 'utxos-changed'),
  }),
}

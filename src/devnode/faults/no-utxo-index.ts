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

/** The node runs without its UTXO index: it says so, refuses what needs it, and takes subscriptions that it never serves. */
export const noUtxoIndex: FaultKind<Record<string, never>> = {
  about: 'Runs without the UTXO index.',
  settings: {},
  create: (_, scene) => ({
    call(method) {
      if (!NEEDS_INDEX.has(method)) return undefined
      scene.struck()
      return { kind: 'refuse', error: textError(UNAVAILABLE) }
    },
    falsified: {
      getServerInfo: (info) => ({ ...info, hasUtxoIndex: false }),
      getInfo: (info) => ({ ...info, isUtxoIndexed: false }),
    },
    notifications: (batch) => batch.filter(({ type }) => type !== 'utxos-changed'),
  }),
}

import type { Ledger, LedgerMethod } from '../../../src/devnode/ledger/ledger.js'
import type { RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import type { WireResponders } from '../../wire-node.js'
import {
  createScriptedDependencies,
  remoteRejection,
  type Script,
  type ScriptedDependencies,
} from './scripted-dependencies.js'

/** The time of all ledger operations, Unix milliseconds. */
export const NOW = 1_700_000_000_000

/** Dependencies whose node is devnode's ledger; `script` overrides responses. */
export function createLedgerDependencies(ledger: Ledger, sdk: SdkPort, script: Script = {}): ScriptedDependencies {
  const respondWith =
    <M extends LedgerMethod>(method: M) =>
    (request: RpcRequest<M>) => {
      const response = ledger.call(method, request, NOW)
      return response.ok ? response.value : remoteRejection(method, response.message)()
    }
  return createScriptedDependencies(sdk, {
    getFeeEstimate: respondWith('getFeeEstimate'),
    getServerInfo: () =>
      fixtures.serverInfo({ virtualDaaScore: queryLedger(ledger, 'getBlockDagInfo', {}).virtualDaaScore }),
    getSink: respondWith('getSink'),
    getMempoolEntry: respondWith('getMempoolEntry'),
    submitTransaction: respondWith('submitTransaction'),
    submitTransactionReplacement: respondWith('submitTransactionReplacement'),
    ...script,
  })
}

/** The responses of a node over a socket whose state is the ledger. */
export function ledgerResponders(ledger: Ledger) {
  const respondWith =
    <M extends LedgerMethod>(method: M) =>
    (request: RpcRequest<M>) =>
      queryLedger(ledger, method, request)
  return {
    getBlock: respondWith('getBlock'),
    getBlockDagInfo: respondWith('getBlockDagInfo'),
    getFeeEstimate: respondWith('getFeeEstimate'),
    getMempoolEntry: respondWith('getMempoolEntry'),
    getMempoolEntriesByAddresses: respondWith('getMempoolEntriesByAddresses'),
    getSink: respondWith('getSink'),
    getUtxosByAddresses: respondWith('getUtxosByAddresses'),
    submitTransaction: respondWith('submitTransaction'),
    submitTransactionReplacement: respondWith('submitTransactionReplacement'),
  } satisfies WireResponders
}

/** The response of the ledger; throws where it rejects. */
export function queryLedger<M extends LedgerMethod>(ledger: Ledger, method: M, request: RpcRequest<M>): RpcResponse<M> {
  const response = ledger.call(method, request, NOW)
  if (!response.ok) throw new Error(response.message)
  return response.value
}

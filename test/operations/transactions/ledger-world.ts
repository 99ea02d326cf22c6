import type { Ledger, LedgerMethod } from '../../../src/devnode/ledger/ledger.js'
import type { RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { SERVER, createWorld, refusing, type Script, type ScriptedWorld } from './world.js'

/** When everything happens, Unix milliseconds. */
export const NOW = 1_700_000_000_000

/** A world whose node is a network in memory; `script` is what it answers otherwise. */
export function createLedgerWorld(ledger: Ledger, sdk: SdkPort, script: Script = {}): ScriptedWorld {
  const answering =
    <M extends LedgerMethod>(method: M) =>
    (request: RpcRequest<M>) => {
      const answer = ledger.answer(method, request, NOW)
      return answer.ok ? answer.value : refusing(method, answer.message)()
    }
  return createWorld(sdk, {
    getFeeEstimate: answering('getFeeEstimate'),
    getServerInfo: () => ({ ...SERVER, virtualDaaScore: ask(ledger, 'getBlockDagInfo', {}).virtualDaaScore }),
    getSink: answering('getSink'),
    getMempoolEntry: answering('getMempoolEntry'),
    submitTransaction: answering('submitTransaction'),
    submitTransactionReplacement: answering('submitTransactionReplacement'),
    ...script,
  })
}

/** The ledger's answer; throws where it refuses. */
export function ask<M extends LedgerMethod>(ledger: Ledger, method: M, request: RpcRequest<M>): RpcResponse<M> {
  const answer = ledger.answer(method, request, NOW)
  if (!answer.ok) throw new Error(answer.message)
  return answer.value
}

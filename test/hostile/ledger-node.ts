import type { Ledger, LedgerMethod } from '../../src/devnode/ledger/ledger.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { RpcMethod, RpcRequest } from '../../src/node/messages/records.js'
import type { Frame, WireCodec } from '../../src/wrpc/codec.js'
import { textError } from '../../src/wrpc/wire-error.js'
import { NOW } from '../operations/transactions/ledger-dependencies.js'
import { SERVER, type Script } from '../operations/transactions/scripted-dependencies.js'
import { startScriptedNode, type ScriptedNode } from '../wrpc/scripted-node.js'

/** A wRPC server over a devnode ledger that replies to the methods of `lies` by them. */
export function startHostileNode(encoding: RpcEncoding, ledger: Ledger, lies: Script): Promise<ScriptedNode> {
  const responses: Script = { getServerInfo: () => SERVER, ...lies }
  return startScriptedNode(encoding, ({ id, method, request }, _client, codec) =>
    respond(id, method, request, codec, ledger, responses),
  )
}

function respond<M extends RpcMethod>(
  id: bigint,
  method: M,
  request: RpcRequest<M>,
  codec: WireCodec,
  ledger: Ledger,
  responses: Script,
): Frame {
  const lie = responses[method]
  if (lie !== undefined) return codec.encodeResponse(id, method, lie(request) as never)
  const result = ledger.call(method as LedgerMethod, request, NOW)
  if (!result.ok) return codec.encodeError(id, method, textError(result.message))
  return codec.encodeResponse(id, method, result.value as never)
}

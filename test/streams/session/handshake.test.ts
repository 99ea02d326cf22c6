import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'

/** The error in `connection.state$` after this response to the handshake. */
function handshakeError(
  response: Parameters<ReturnType<typeof createTestLink>['node']['respond']>[1],
): ChainRpcError | null {
  let error: ChainRpcError | null = null
  marbles((m) => {
    const { link, node, connect } = createTestLink(m.scheduler)
    node.respond('getServerInfo', response)
    link.connector.state$.subscribe((state) => (error = 'error' in state ? state.error : error))
    run(m.hot('c'), { c: connect })
    m.flush()
  })()
  return error
}

/** The compared fields of an error. */
const fieldsOf = (error: ChainRpcError | null): unknown =>
  error && { method: error.method, code: error.code, hint: error.hint, cause: String(error.cause) }

describe('handshake$', () => {
  it('hints at the encoding if the node closes the connection', () => {
    const closed = new ChainRpcError('getServerInfo', new Error('closed'), { code: 'connection-lost' })
    expect(fieldsOf(handshakeError(() => throwError(() => closed)))).toMatchObject({
      method: 'connect',
      code: 'connection-lost',
      cause:
        'ChainError: ws://127.0.0.1:17510 closed the connection during the handshake\nDetails: RPC method "getServerInfo" failed: closed',
      hint: "Check that the port is a node's wRPC port for Borsh: each encoding has its own port.",
    })
  })

  it('rejects another network with both names', () => {
    expect(fieldsOf(handshakeError(() => fixtures.serverInfo({ networkId: 'mainnet' })))).toMatchObject({
      code: 'wrong-network',
      cause: 'ChainError: The node at ws://127.0.0.1:17510 serves mainnet, not simnet',
      hint: "Set url to a simnet node, or set network to the node's network.",
    })
  })

  it('rejects another RPC version', () => {
    const other = fixtures.serverInfo({ rpcApiVersion: 2, serverVersion: '9.0.0' })
    expect(fieldsOf(handshakeError(() => of(other)))).toMatchObject({
      code: 'unsupported',
      cause: 'ChainError: The node at ws://127.0.0.1:17510 (9.0.0) has RPC version 2, not 1',
      hint: 'Set url to a node of version 0.15 to 2.x.',
    })
  })

  it('reports an error reply of the node', () => {
    const refused = new ChainRpcError('getServerInfo', new Error('not today'), { code: 'remote' })
    expect(fieldsOf(handshakeError(() => throwError(() => refused)))).toMatchObject({
      code: 'remote',
      cause: 'ChainRpcError: RPC method "getServerInfo" failed\nDetails: not today',
    })
  })
})

import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { GREETING } from '../../engine/promises/chain-node.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'

/** What `connection.state$` tells of a dial whose first answer is this. */
function refusalOf(answer: Parameters<ReturnType<typeof createTestLink>['node']['answer']>[1]): ChainRpcError | null {
  let error: ChainRpcError | null = null
  marbles((m) => {
    const { link, node, connect } = createTestLink(m.scheduler)
    node.answer('getServerInfo', answer)
    link.keeper.state$.subscribe((state) => (error = 'error' in state ? state.error : error))
    run(m.hot('c'), { c: connect })
    m.flush()
  })()
  return error
}

/** What a person is told of an error, and by what a program knows it. */
const story = (error: ChainRpcError | null): unknown =>
  error && { method: error.method, code: error.code, hint: error.hint, cause: String(error.cause) }

describe('a node that is asked who it is', () => {
  it('and hangs up may be listening for the other encoding, which is said', () => {
    const lost = new ChainRpcError('getServerInfo', new Error('closed'), { code: 'connection-lost' })
    expect(story(refusalOf(() => throwError(() => lost)))).toMatchObject({
      method: 'connect',
      code: 'connection-lost',
      cause: 'ChainError: ws://127.0.0.1:17510 hung up before it said who it is',
      hint: "Check that it is a node's port for Borsh: each encoding has a port of its own.",
    })
  })

  it('and serves another network is refused by both their names', () => {
    expect(story(refusalOf(() => of({ ...GREETING, networkId: 'mainnet' })))).toMatchObject({
      code: 'wrong-network',
      cause: 'ChainError: The node at ws://127.0.0.1:17510 serves mainnet, not simnet',
      hint: 'Give the url of a simnet node, or set network to what the node serves.',
    })
  })

  it('and speaks an RPC of another generation is refused by its version', () => {
    const other = { ...GREETING, rpcApiVersion: 2, serverVersion: '9.0.0' }
    expect(story(refusalOf(() => of(other)))).toMatchObject({
      code: 'unsupported',
      cause: 'ChainError: The node at ws://127.0.0.1:17510 (9.0.0) speaks RPC version 2, not 1',
      hint: 'Give the url of a node of generation 0.15 to 2.x.',
    })
  })

  it('and refuses to say is heard in its own words', () => {
    const refused = new ChainRpcError('getServerInfo', new Error('not today'), { code: 'remote' })
    expect(story(refusalOf(() => throwError(() => refused)))).toMatchObject({
      code: 'remote',
      cause: 'ChainRpcError: RPC method "getServerInfo" failed',
    })
  })
})

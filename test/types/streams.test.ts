import type { Observable } from 'rxjs'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  AcceptanceChange,
  BlockInfo,
  ChainEngine,
  Gap,
  RpcEvent,
  RpcEventMap,
  SendersResolved,
  TransactionStatus,
} from '../../src/streams/index.js'

type Accepted = ChainEngine['acceptedTransactions$']

describe('the streams of an engine', () => {
  it('have typed values', () => {
    expectTypeOf<ChainEngine>().toExtend<{
      virtualDaaScore$: Observable<bigint>
      sinkBlueScore$: Observable<bigint>
      gaps$: Observable<Gap>
      blocks$(): Observable<BlockInfo>
      transactionStatus$(
        transactionId: string,
        options?: { confirmations?: number; timeout?: number },
      ): Observable<TransactionStatus>
    }>()
    const listen = ({ events$ }: ChainEngine) => events$('block-added')
    expectTypeOf(listen).returns.toEqualTypeOf<Observable<RpcEvent<RpcEventMap['block-added']>>>()
  })

  it('emit resolved senders only with includeSenderAddresses', () => {
    const plain = (accepted$: Accepted) => accepted$()
    const since = (accepted$: Accepted) => accepted$({ from: '' })
    const paid = (accepted$: Accepted) => accepted$({ includeSenderAddresses: true })
    expectTypeOf(plain).returns.toEqualTypeOf<Observable<AcceptanceChange>>()
    expectTypeOf(since).returns.toEqualTypeOf<Observable<AcceptanceChange>>()
    expectTypeOf(paid).returns.toEqualTypeOf<Observable<AcceptanceChange | SendersResolved>>()
  })
})

import { lastValueFrom, of, toArray } from 'rxjs'
import { expect, it } from 'vitest'
import { createLedger } from '../../src/devnode/ledger/ledger.js'
import type { RpcRequest } from '../../src/node/messages/records.js'
import { fillBlocks$ } from '../../src/streams/fill-blocks.js'
import type { NodeLink } from '../../src/streams/session/node-link.js'

it('ends where two blocks stand side by side at the tip', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = ledger.mine({ now: 2, parallel: 2 }).result
  const call = ((_method: 'getBlocks', request: RpcRequest<'getBlocks'>) => {
    const answer = ledger.answer('getBlocks', request, 3)
    if (!answer.ok) throw new Error(answer.message)
    return of(answer.value)
  }) as NodeLink['call']

  const filled = await lastValueFrom(fillBlocks$(cursor!, call).pipe(toArray()))
  expect(new Set(filled.map(({ header }) => header.hash))).toEqual(new Set(mined))
})

import { lastValueFrom, of, tap, toArray, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../src/devnode/ledger/ledger.js'
import type { RpcBlock, RpcRequest } from '../../src/node/messages/records.js'
import { fillBlocks$ } from '../../src/streams/fill-blocks.js'
import type { NodeLink } from '../../src/streams/session/node-link.js'

/** Asks a ledger as one would ask its node; `onPage` hears of each page, `onPlace` of the first answer. */
const asking = (ledger: Ledger, onPage = (): void => undefined, onPlace = (): void => undefined): NodeLink['call'] =>
  ((method: 'getBlocks' | 'getSink', request: RpcRequest<'getBlocks'>) => {
    if (method === 'getSink') return of({ sink: ledger.truth.chain().at(-1) }).pipe(tap(onPlace))
    const answer = ledger.answer('getBlocks', request, 3)
    if (!answer.ok) throw new Error(answer.message)
    return of(answer.value).pipe(tap(onPage))
  }) as NodeLink['call']

const NOTHING = new Set<string>()

const hashesOf = async (blocks$: Observable<RpcBlock>): Promise<string[]> =>
  (await lastValueFrom(blocks$.pipe(toArray()))).map(({ header }) => header.hash)

it('tells all that came since, page by page, each once', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = Array.from({ length: 600 }, (_, n) => ledger.mine({ now: n + 2 }).result).flat()
  let pages = 0
  expect(
    await hashesOf(
      fillBlocks$(
        cursor!,
        asking(ledger, () => pages++),
        NOTHING,
      ),
    ),
  ).toEqual(mined)
  expect(pages).toBe(4) // two full ones of about 250, the rest, and one that brings nothing
})

it('ends where two blocks stand side by side at the tip', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = ledger.mine({ now: 2, parallel: 2 }).result
  expect(new Set(await hashesOf(fillBlocks$(cursor!, asking(ledger), NOTHING)))).toEqual(new Set(mined))
})

it('is led back to no branch that was left long ago, though its blocks stand beside the sink', async () => {
  const ledger = createLedger()
  for (let n = 0; n < 600; n++) ledger.mine({ now: n + 1 })
  const left = ledger.mine({ now: 601 }).result
  ledger.reorg({ depth: 600, now: 602 })
  const [cursor] = ledger.mine({ now: 603 }).result
  const mined = ledger.mine({ now: 604 }).result
  let pages = 0
  const filled = await hashesOf(
    fillBlocks$(
      cursor!,
      asking(ledger, () => pages++),
      NOTHING,
    ),
  )
  expect(filled).toEqual(expect.arrayContaining([...left, ...mined]))
  expect(pages).toBe(2) // one that brings all, and one that brings nothing
})

it('gives up where there are too many of them, once it has told those it has read', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  for (let n = 0; n < 600; n++) ledger.mine({ now: n + 2 })
  const told: string[] = []
  const filled$ = fillBlocks$(cursor!, asking(ledger), NOTHING, 2).pipe(tap(({ header }) => told.push(header.hash)))
  await expect(lastValueFrom(filled$)).rejects.toMatchObject({
    message: 'Too many blocks came during the outage',
    hint: 'Read them with getBlocks().',
  })
  expect(told.length).toBeGreaterThan(450)
})

it('ends on a chain that grows with every answer, once there is nothing but what was heard of meanwhile', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = Array.from({ length: 300 }, (_, n) => ledger.mine({ now: n + 2 }).result).flat()
  const heard = new Set<string>()
  let pages = 0
  const grow = (): void => void heard.add(ledger.mine({ now: 302 + pages++ }).result[0]!)
  expect((await hashesOf(fillBlocks$(cursor!, asking(ledger, grow), heard))).slice(0, 300)).toEqual(mined)
  expect(pages).toBe(3)
})

it('reads on behind where the node stood at first, where a branch left long ago is merged there, page after page', async () => {
  const ledger = createLedger()
  for (let n = 0; n < 600; n++) ledger.mine({ now: n + 1 })
  const missed = ledger.mine({ now: 601 }).result
  const branch = ledger.reorg({ depth: 600, now: 602 }).result.added
  const heard = new Set<string>()
  // five more blocks, each of which merges a few hundred of the old branch
  const mergeOn = (): void => {
    for (let n = 0; n < 5; n++) heard.add(ledger.mine({ now: 603 + n }).result[0]!)
  }
  const filled = await hashesOf(fillBlocks$(branch.at(-1)!, asking(ledger, undefined, mergeOn), heard))
  expect(filled).toEqual(expect.arrayContaining([...missed]))
})

it('tells nothing where nothing came', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  expect(await hashesOf(fillBlocks$(cursor!, asking(ledger), NOTHING))).toEqual([])
})

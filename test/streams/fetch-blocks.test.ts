import { lastValueFrom, of, tap, toArray, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../src/devnode/ledger/ledger.js'
import type { RpcBlock, RpcRequest } from '../../src/node/messages/records.js'
import { fetchBlocksSince$ } from '../../src/streams/fetch-blocks.js'
import type { NodeLink } from '../../src/streams/session/node-link.js'

/** Calls served by a ledger; `onPage` runs after each page, `onSink` after the sink response. */
const callsTo = (ledger: Ledger, onPage = (): void => undefined, onSink = (): void => undefined): NodeLink['call'] =>
  ((method: 'getBlocks' | 'getSink', request: RpcRequest<'getBlocks'>) => {
    if (method === 'getSink') return of({ sink: ledger.expected.chain().at(-1) }).pipe(tap(onSink))
    const response = ledger.call('getBlocks', request, 3)
    if (!response.ok) throw new Error(response.message)
    return of(response.value).pipe(tap(onPage))
  }) as NodeLink['call']

const NOTHING = new Set<string>()

const hashesOf = async (blocks$: Observable<RpcBlock>): Promise<string[]> =>
  (await lastValueFrom(blocks$.pipe(toArray()))).map(({ header }) => header.hash)

it('fetches all blocks since the cursor, page by page, each once', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = Array.from({ length: 600 }, (_, n) => ledger.mine({ now: n + 2 }).result).flat()
  let pages = 0
  expect(
    await hashesOf(
      fetchBlocksSince$(
        cursor!,
        callsTo(ledger, () => pages++),
        NOTHING,
      ),
    ),
  ).toEqual(mined)
  expect(pages).toBe(4) // two full ones of about 250, the remaining blocks, and an empty one
})

it('ends at a tip of two parallel blocks', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = ledger.mine({ now: 2, parallel: 2 }).result
  expect(new Set(await hashesOf(fetchBlocksSince$(cursor!, callsTo(ledger), NOTHING)))).toEqual(new Set(mined))
})

it('does not follow an abandoned branch next to the sink', async () => {
  const ledger = createLedger()
  for (let n = 0; n < 600; n++) ledger.mine({ now: n + 1 })
  const left = ledger.mine({ now: 601 }).result
  ledger.reorg({ depth: 600, now: 602 })
  const [cursor] = ledger.mine({ now: 603 }).result
  const mined = ledger.mine({ now: 604 }).result
  let pages = 0
  const filled = await hashesOf(
    fetchBlocksSince$(
      cursor!,
      callsTo(ledger, () => pages++),
      NOTHING,
    ),
  )
  expect(filled).toEqual(expect.arrayContaining([...left, ...mined]))
  expect(pages).toBe(2) // one with all blocks, and an empty one
})

it('errors after too many pages, once it has emitted the fetched blocks', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  for (let n = 0; n < 600; n++) ledger.mine({ now: n + 2 })
  const emitted: string[] = []
  const filled$ = fetchBlocksSince$(cursor!, callsTo(ledger), NOTHING, 2).pipe(
    tap(({ header }) => emitted.push(header.hash)),
  )
  await expect(lastValueFrom(filled$)).rejects.toMatchObject({
    message: 'Too many blocks were added during the outage',
    hint: 'Read them with getBlocks().',
  })
  expect(emitted.length).toBeGreaterThan(450)
})

it('ends on a chain that grows with every response, once a page holds only received blocks', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  const mined = Array.from({ length: 300 }, (_, n) => ledger.mine({ now: n + 2 }).result).flat()
  const received = new Set<string>()
  let pages = 0
  const grow = (): void => void received.add(ledger.mine({ now: 302 + pages++ }).result[0]!)
  expect((await hashesOf(fetchBlocksSince$(cursor!, callsTo(ledger, grow), received))).slice(0, 300)).toEqual(mined)
  expect(pages).toBe(3)
})

it('continues past its first sink where an abandoned branch is merged there, page after page', async () => {
  const ledger = createLedger()
  for (let n = 0; n < 600; n++) ledger.mine({ now: n + 1 })
  const outageBlocks = ledger.mine({ now: 601 }).result
  const branch = ledger.reorg({ depth: 600, now: 602 }).result.added
  const received = new Set<string>()
  // five more blocks, each of which merges a few hundred of the old branch
  const mergeBranch = (): void => {
    for (let n = 0; n < 5; n++) received.add(ledger.mine({ now: 603 + n }).result[0]!)
  }
  const filled = await hashesOf(fetchBlocksSince$(branch.at(-1)!, callsTo(ledger, undefined, mergeBranch), received))
  expect(filled).toEqual(expect.arrayContaining([...outageBlocks]))
})

it('emits nothing where nothing was added', async () => {
  const ledger = createLedger()
  const [cursor] = ledger.mine({ now: 1 }).result
  expect(await hashesOf(fetchBlocksSince$(cursor!, callsTo(ledger), NOTHING))).toEqual([])
})

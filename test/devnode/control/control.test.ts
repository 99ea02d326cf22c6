import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '../../../src/devnode/faults/kinds.js'
import { createDevnode } from '../../../src/devnode/index.js'
import { eachFile } from '../../lifetimes.js'

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 2 }))

async function request(method: string, path: string, body?: unknown) {
  const response = await fetch(devnode.urls.control + path, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

describe('the control endpoint', () => {
  it('lists its routes', async () => {
    const { json } = await request('GET', '/')
    const routes = json.routes as { method: string; path: string; about: string }[]
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /',
      'POST /mine',
      'POST /fund',
      'POST /reorg',
      'POST /snapshot',
      'POST /revert',
      'POST /prune',
      'POST /restart',
      'GET /faults',
      'POST /faults/random',
      'POST /faults/:name',
      'POST /drop',
      'DELETE /faults/:name',
      'DELETE /faults',
      'GET /status',
      'GET /accounts',
      'GET /explain/:name',
      'GET /expected/utxos',
      'GET /expected/balances',
      'GET /expected/accepted',
      'GET /expected/mempool',
      'GET /expected/chain',
      'GET /expected/blocks',
      'GET /expected/events',
    ])
    expect(routes.every(({ about }) => about.endsWith('.'))).toBe(true)
  })

  it('responds with status and accounts', async () => {
    expect((await request('GET', '/status')).json).toEqual({
      network: 'simnet',
      urls: devnode.urls,
      blockInterval: 0,
      virtualDaaScore: devnode.expected.virtualDaaScore().toString(),
      mempoolSize: 0,
      connections: [],
      sockets: 0,
    })
    expect((await request('GET', '/accounts')).json).toEqual({ accounts: devnode.accounts })
  })

  it('explains no transaction that was not refused for a script', async () => {
    expect((await request('GET', `/explain/${'00'.repeat(32)}`)).json).toEqual({ refused: null })
  })

  it('mines', async () => {
    const { json } = await request('POST', '/mine', { blocks: 3 })
    expect(json.hashes).toEqual(devnode.expected.chain().slice(-3))
    expect((await request('POST', '/mine')).json.hashes).toHaveLength(1)
  })

  it('funds with amounts as whole numbers or strings of digits', async () => {
    const { address } = devnode.accounts[0]!
    const sum = () => devnode.expected.utxos([address]).reduce((total, { amount }) => total + amount, 0n)
    const before = sum()
    const { json } = await request('POST', '/fund', { address, amount: 150_000_000 })
    expect(json.transactionId).toMatch(/^[0-9a-f]{64}$/)
    await request('POST', '/fund', { address, amount: '9007199254740993' })
    expect(sum() - before).toBe(150_000_000n + 9_007_199_254_740_993n)
  })

  it('reorganises, takes a snapshot and reverts', async () => {
    const { json: snapshot } = await request('POST', '/snapshot')
    const chain = devnode.expected.chain()
    const { json: reorg } = await request('POST', '/reorg', { depth: 2 })
    expect(reorg.removed).toEqual([...chain.slice(-2)].reverse())
    expect((await request('POST', '/revert', snapshot)).status).toBe(200)
    expect(devnode.expected.chain()).toEqual(chain)
  })

  it('begins faults and ends them', async () => {
    const begun = await request('POST', '/faults/delay', { ms: 1, for: 60_000 })
    expect(begun.json).toEqual({ name: 'delay', settings: { ms: 1, jitter: 0 }, triggered: 0 })
    const { json } = await request('GET', '/faults')
    expect(json.active).toEqual([{ name: 'delay', settings: { ms: 1, jitter: 0 }, triggered: 0 }])
    expect((json.kinds as { name: string }[]).map(({ name }) => name)).toContain('freeze')
    expect((await request('DELETE', '/faults/delay')).json).toEqual({ ended: 1 })
    await request('POST', '/faults/stall')
    await request('DELETE', '/faults')
    expect(devnode.faults.active()).toEqual([])
    expect((await request('POST', '/drop')).json).toMatchObject({ name: 'drop', triggered: 1 })
    expect((await request('POST', '/faults/random', { seed: 3, rate: 1 })).status).toBe(200)
    expect((await request('POST', '/faults/random', { kinds: ['failRest'] })).status).toBe(200)
    devnode.faults.clear()
  })

  it('begins every listed kind of fault with its listed settings', async () => {
    const { kinds } = (await request('GET', '/faults')).json as { kinds: { name: string; settings: object }[] }
    for (const { name, settings } of kinds) {
      expect((await request('POST', `/faults/${name}`, settings)).status, name).toBe(200)
      await request('DELETE', `/faults/${name}`)
    }
    expect(devnode.faults.active()).toEqual([])
    expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(FAULT_KINDS).sort())
  })

  it('responds with the expected state, bigints as strings of digits', async () => {
    const { address } = devnode.accounts[0]!
    const { json } = await request('GET', `/expected/utxos?address=${encodeURIComponent(address)}`)
    const [first] = json.utxos as { amount: string }[]
    expect(first?.amount).toBe(devnode.expected.utxos([address])[0]?.amount.toString())
    expect((await request('GET', '/expected/chain')).json.chain).toEqual(devnode.expected.chain())
    expect((await request('GET', '/expected/accepted')).json.accepted).toEqual(devnode.expected.accepted())
    expect((await request('GET', '/expected/mempool')).json.mempool).toEqual([])
    expect((await request('GET', '/expected/blocks')).json.blocks).toEqual(devnode.expected.blocks())
    expect((await request('GET', '/expected/events')).json.events).toEqual(devnode.expected.events())
    const balances = await request('GET', `/expected/balances?address=${encodeURIComponent(address)}`)
    const [{ mature } = { mature: 0n }] = devnode.expected.balances([address])
    expect(balances.json.balances).toEqual([{ address, mature: mature.toString(), immature: '0', incoming: '0' }])
  })

  it('restarts the node', async () => {
    expect((await request('POST', '/restart', { downtime: 0 })).status).toBe(200)
  })

  it.each([
    ['POST', '/mine', 'three', 400, 'body', 'The body is not JSON'],
    ['POST', '/mine', '[3]', 400, 'body', 'The body is not a JSON object'],
    ['POST', '/mine', { blocks: -1 }, 400, 'blocks', 'The field "blocks" is missing or invalid'],
    ['POST', '/fund', { address: 'kaspasim:q' }, 400, 'amount', 'The field "amount" is missing or invalid'],
    ['POST', '/fund', { address: 'kaspasim:q', amount: 5 }, 400, 'address', 'The address is not valid on this network'],
    ['POST', '/reorg', { depth: 1, drop: 'x' }, 400, 'drop', 'The field "drop" is missing or invalid'],
    ['POST', '/revert', { snapshot: 99 }, 400, undefined, ''],
    ['POST', '/faults/earthquake', {}, 400, 'name', 'There is no fault "earthquake"'],
    ['POST', '/faults/random', { kinds: ['earthquake'] }, 400, 'name', 'There is no fault "earthquake"'],
    ['POST', '/faults/random', { rate: 0 }, 400, 'rate', 'The rate of faults must be above 0'],
    ['POST', '/faults/delay', { speed: 1 }, 400, 'speed', 'A fault has no setting "speed"'],
    ['GET', '/mine', undefined, 405, undefined, '/mine does not take GET'],
    ['GET', '/elsewhere', undefined, 404, undefined, 'There is no /elsewhere'],
  ])('%s %s with %j gets an error', async (method, path, body, status, argument, message) => {
    const response = await request(method, path, body)
    const error = response.json.error as { message: string; argument?: string }
    expect(response.status).toBe(status)
    expect(error.message).toContain(message)
    if (argument !== undefined) expect(error.argument).toBe(argument)
  })

  it('allows pages from loopback by CORS, and no others', async () => {
    const from = (origin: string, method = 'GET') =>
      fetch(`${devnode.urls.control}/status`, { method, headers: { origin } })
    const allowed = await from('http://localhost:5173')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:5173'])
    const preflight = await from('http://localhost:5173', 'OPTIONS')
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, DELETE',
    ])
    const denied = await from('https://evil.test')
    expect([denied.status, denied.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  it('refuses a foreign host name', async () => {
    const { port } = new URL(devnode.urls.control)
    const status = await new Promise((resolve) => {
      httpRequest({ port, host: '127.0.0.1', path: '/accounts', headers: { host: 'evil.test' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end()
    })
    expect(status).toBe(403)
  })
})

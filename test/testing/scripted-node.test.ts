import { firstValueFrom, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createScriptedNode, fixtures, type Respond, type ScriptedNode } from '../../src/testing/index.js'

const SINK = 'ab'.repeat(32)

let node: ScriptedNode
let engine: ChainEngine

beforeEach(async () => {
  node = createScriptedNode()
  engine = createChainEngine({ network: 'simnet', url: 'ws://scripted', ports: { node } })
  await engine.connection.connect()
})
afterEach(() => engine.dispose())

describe('a scripted node', () => {
  it('responds with valid records', async () => {
    node.respond('getSink', () => of({ sink: SINK }))
    expect(await engine.rpc.getSink()).toEqual({ sink: SINK })
  })

  it('responds with a record, a promise of one, or by its first responses', async () => {
    node.respond('getSink', () => ({ sink: SINK }))
    expect(await engine.rpc.getSink()).toEqual({ sink: SINK })
    node.respond('getSinkBlueScore', () => Promise.resolve({ blueScore: 7n }))
    expect(await engine.rpc.getSinkBlueScore()).toEqual({ sinkBlueScore: 7n })
    const scripted = createScriptedNode({ responses: { getSink: () => ({ sink: SINK }) } })
    const connection = await firstValueFrom(scripted.dial({ url: 'ws://scripted', encoding: 'Borsh' }))
    expect(await firstValueFrom(connection.call('getSink', {}))).toEqual({ sink: SINK })
  })

  it.each<[string, Respond<'getSink'>]>([
    ['returned', () => new Error('busy')],
    [
      'thrown',
      () => {
        throw new Error('busy')
      },
    ],
    ['rejected', () => Promise.reject(new Error('busy'))],
    ['emitted', () => throwError(() => new Error('busy'))],
  ])('rejects a call with an error that is %s, as the node does', async (_, respond) => {
    node.respond('getSink', respond)
    await expect(engine.rpc.getSink()).rejects.toMatchObject({ code: 'remote', method: 'getSink', details: 'busy' })
  })

  it('rejects a malformed response with the name of the field', async () => {
    node.respond('getSink', () => of({ sink: 'ab' }))
    await expect(engine.rpc.getSink()).rejects.toMatchObject({
      code: 'invalid-argument',
      message: 'The scripted response to "getSink" is malformed: "sink" is not 64 hex digits',
    })
  })

  it('rejects a response without a field, and one within a list', async () => {
    const incomplete: object = { ...fixtures.utxo(), amount: undefined }
    node.respond('getUtxosByAddresses', () => of({ entries: [incomplete as UtxoEntry] }))
    await expect(engine.rpc.getUtxosByAddresses([fixtures.utxo().address!])).rejects.toMatchObject({
      message: expect.stringContaining('"amount" is not a bigint of 64 bits') as string,
    })
  })

  it('throws for a malformed notification, with the name of the field', () => {
    const data = { virtualDaaScore: -1n }
    expect(() => node.notify({ type: 'virtual-daa-score-changed', data })).toThrow(
      'The scripted notification "virtual-daa-score-changed" is malformed: "virtualDaaScore" is not a bigint of 64 bits',
    )
  })

  it('sends records as they are with validate: false', async () => {
    const lenient = createScriptedNode({ validate: false })
    lenient.respond('getSink', () => of({ sink: 'ab' }))
    const connection = await firstValueFrom(lenient.dial({ url: 'ws://scripted', encoding: 'Borsh' }))
    expect(await firstValueFrom(connection.call('getSink', {}))).toEqual({ sink: 'ab' })
  })
})

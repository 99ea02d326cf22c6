import { firstValueFrom, lastValueFrom, toArray } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import { createServerPlatform } from '../../src/platform/server.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { startScriptedNode, type ScriptedNode } from './scripted-node.js'

const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)]

let node: ScriptedNode | undefined
afterEach(() => node?.close())

const dial = (url: string) => firstValueFrom(createNodePort(createServerPlatform()).dial({ url, encoding: 'Borsh' }))

it('emits a duplicate response once', async () => {
  node = await startScriptedNode('Borsh', ({ id, method }, client, codec) => {
    if (method === 'ping') return codec.encodeResponse(id, 'ping', {})
    for (const sink of [FIRST, SECOND]) client.send(codec.encodeResponse(id, 'getSink', { sink }))
    return undefined
  })
  const connection = await dial(node.url)
  const malformed: unknown[] = []
  connection.malformed$?.subscribe((error) => malformed.push(error))
  expect(await lastValueFrom(connection.call('getSink', {}).pipe(toArray()))).toEqual([{ sink: FIRST }])
  await firstValueFrom(connection.call('ping', {}))
  expect(malformed).toEqual([])
  connection.close()
})

it('ignores a response after its deadline', async () => {
  let late = (): void => undefined
  node = await startScriptedNode('Borsh', ({ id, method }, client, codec) => {
    if (method === 'ping') {
      late()
      return codec.encodeResponse(id, 'ping', {})
    }
    late = () => client.send(codec.encodeResponse(id, 'getSink', { sink: FIRST }))
    return undefined
  })
  const connection = await dial(node.url)
  await expect(firstValueFrom(connection.call('getSink', {}, { timeout: 20 }))).rejects.toMatchObject({
    code: 'timeout',
  })
  expect(await firstValueFrom(connection.call('ping', {}))).toEqual({})
  connection.close()
})

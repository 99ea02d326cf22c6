import { firstValueFrom, lastValueFrom, toArray } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { startWireNode, type WireNode } from '../wire-node.js'

const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)]

let node: WireNode | undefined
afterEach(() => node?.close())

const dial = (url: string) => firstValueFrom(createNodePort(createServerPlatform()).dial({ url, encoding: 'Borsh' }))

it('emits a duplicate response once', async () => {
  node = await startWireNode('Borsh', {
    getSink: (_, { client, encode }) => {
      client.send(encode({ sink: FIRST }))
      return { sink: SECOND }
    },
  })
  const connection = await dial(node.url())
  const malformed: unknown[] = []
  connection.malformed$?.subscribe((error) => malformed.push(error))
  expect(await lastValueFrom(connection.call('getSink', {}).pipe(toArray()))).toEqual([{ sink: FIRST }])
  await firstValueFrom(connection.call('ping', {}))
  expect(malformed).toEqual([])
  connection.close()
})

it('ignores a response after its deadline', async () => {
  let late = (): void => undefined
  node = await startWireNode('Borsh', {
    ping: () => {
      late()
      return {}
    },
    getSink: (_, { client, encode }) => {
      late = () => client.send(encode({ sink: FIRST }))
      return undefined
    },
  })
  const connection = await dial(node.url())
  await expect(firstValueFrom(connection.call('getSink', {}, { timeout: 20 }))).rejects.toMatchObject({
    code: 'timeout',
  })
  expect(await firstValueFrom(connection.call('ping', {}))).toEqual({})
  connection.close()
})

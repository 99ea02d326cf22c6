import { firstValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { halfAFrame, startRawServer } from '../platform/raw-server.js'

it('fails the pending call and emits nothing when the connection ends within a frame', async () => {
  const server = await startRawServer((connection) => {
    connection.once('data', () => connection.end(halfAFrame(50)))
  })
  const connection = await firstValueFrom(
    createNodePort(createServerPlatform()).dial({ url: server.url, encoding: 'SerdeJson' }),
  )
  const emitted: unknown[] = []
  connection.notifications$.subscribe((notification) => emitted.push(notification))
  connection.malformed$?.subscribe((error) => emitted.push(error))
  await expect(firstValueFrom(connection.call('getSink', {}))).rejects.toMatchObject({ code: 'connection-lost' })
  expect(await firstValueFrom(connection.closed$)).toMatchObject({ code: 1006 })
  expect(emitted).toEqual([])
  await server.close()
})

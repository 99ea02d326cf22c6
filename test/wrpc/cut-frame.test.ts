import { firstValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { createServerPlatform } from '../../src/platform/server.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { halfAFrame, startRawServer } from '../platform/raw-server.js'

it('a frame that is cut in half by the end of the connection fails what was asked, and nothing else happens', async () => {
  const server = await startRawServer((connection) => {
    connection.once('data', () => connection.end(halfAFrame(50)))
  })
  const connection = await firstValueFrom(
    createNodePort(createServerPlatform()).dial({ url: server.url, encoding: 'SerdeJson' }),
  )
  const heard: unknown[] = []
  connection.notifications$.subscribe((notification) => heard.push(notification))
  connection.malformed$?.subscribe((error) => heard.push(error))
  await expect(firstValueFrom(connection.call('getSink', {}))).rejects.toMatchObject({ code: 'connection-lost' })
  expect(await firstValueFrom(connection.closed$)).toMatchObject({ code: 1006 })
  expect(heard).toEqual([])
  await server.close()
})

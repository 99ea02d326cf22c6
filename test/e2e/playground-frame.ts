/**
 * The script of the playground's frame without network and library: its isolation, its channel, and the reader's code.
 */
import { openChannel } from '../../docs/.vitepress/theme/playground/frame/channel.js'
import { reportLines, toText } from '../../docs/.vitepress/theme/playground/frame/console-lines.js'
import { isolate } from '../../docs/.vitepress/theme/playground/frame/isolate.js'
import { runModule } from '../../docs/.vitepress/theme/playground/frame/run-module.js'

const { post, listen } = openChannel(isolate().run)
const fail = (error: unknown): void => post({ type: 'line', level: 'error', text: toText(error) })

reportLines((level, text) => post({ type: 'line', level, text }))
listen((message) => {
  if (message.type === 'run') runModule(message.code).catch(fail)
})
post({ type: 'ready' })

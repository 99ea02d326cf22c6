import { h } from 'vue'
import { fill, type PartContext } from '../part.js'

/** The dialog's name, which takes the focus when the content changes, and the way to close it. */
export const header = (context: PartContext, id: string, text: string) =>
  h('div', { class: 'vc-header' }, [
    h('h2', { id, class: 'vc-title', tabindex: -1 }, [fill(context, 'title', { text }, () => text)]),
    fill(context, 'close', { close: context.actions.close }, () =>
      h(
        'button',
        { type: 'button', class: 'vc-close', 'aria-label': context.texts.close, onClick: context.actions.close },
        [cross()],
      ),
    ),
  ])

const cross = () =>
  h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
    h('path', { d: 'M3.5 3.5l9 9M12.5 3.5l-9 9', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4 }),
  ])

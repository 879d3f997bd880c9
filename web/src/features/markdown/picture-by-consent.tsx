import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { placeOfPicture } from './place-of-picture.ts'

interface PictureProps {
  readonly address: string
  readonly about: string
}

/** Images the reader has opened stay visible when their row scrolls out and back. */
const opened = new Set<string>()

/**
 * Loads no image until the reader asks for it. An image on another server is never loaded into the page, because that
 * would tell that server the text was read; it is shown as a link instead.
 */
export function PictureByConsent({ address, about }: PictureProps) {
  const [isShown, setShown] = useState(opened.has(address))
  const place = placeOfPicture(address, location.origin)
  if (place.kind === 'nowhere') return <span className="picture-missing">{about || 'image'}</span>
  if (place.kind === 'elsewhere') return <Elsewhere address={place.address} about={about} />
  if (isShown) return <img className="picture" src={place.address} alt={about} />
  const show = () => {
    opened.add(address)
    setShown(true)
  }
  return (
    <button type="button" className="picture-link" onClick={show}>
      <Icon name="image" size={16} />
      <span>{about || 'Image'}</span>
      <span className="picture-host">show</span>
    </button>
  )
}

const Elsewhere = ({ address, about }: PictureProps) => (
  <a
    className="picture-link"
    href={address}
    target="_blank"
    rel="noopener noreferrer nofollow"
    title={`Not loaded, so that ${new URL(address).host} doesn’t learn you read this. Opens ${address}`}
  >
    <Icon name="image" size={16} />
    <span>{about || 'Image'}</span>
    <span className="picture-host">on {new URL(address).host}, not loaded</span>
    <Icon name="external" size={14} />
  </a>
)

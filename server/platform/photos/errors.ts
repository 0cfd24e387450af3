/** Why a photo is not taken. */
export type RefusalReason = 'not_an_image' | 'too_many_pixels' | 'too_heavy' | 'unreadable'

/** A photo that is not taken, through its own fault. */
export class PhotoRefused extends Error {
  override name = 'PhotoRefused'
  reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(`Photo refused: ${reason}`)
    this.reason = reason
  }
}

/** Too many photos are waiting already, the machine does not get to this one, or the server is shutting down. */
export class PhotoDecoderBusy extends Error {
  override name = 'PhotoDecoderBusy'
  /** Seconds after which trying again makes sense. */
  retryAfter = 5

  constructor() {
    super('Too many photos are waiting to be decoded')
  }
}

/** The processes that decode do not start at present, which is no fault of the photo. */
export class PhotoDecoderDown extends Error {
  override name = 'PhotoDecoderDown'

  constructor(why: string) {
    super(`The photo decoder does not start: ${why}`)
  }
}

/** Photos cannot be stored or read at present: the disk is full, or the store is away. */
export class PhotoStorageUnavailable extends Error {
  override name = 'PhotoStorageUnavailable'

  constructor(why: string, options?: ErrorOptions) {
    super(`The photo storage is not available: ${why}`, options)
  }
}

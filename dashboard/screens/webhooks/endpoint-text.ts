import { texts } from '../../text/texts.ts';

export const endpointTexts = texts(
  {
    webhooks: 'Webhooks',
    title: 'Endpoint',
    edit: 'Edit',
    ping: 'Send a test event',
    pinging: 'The test event is on its way …',
    pingSlow: 'There is no result yet. It will appear in the deliveries below.',
    pinged: (status: number, milliseconds: string) =>
      `Your server answered ${status} after ${milliseconds} ms.`,
    pingFailed: (reason: string) => `The test failed: ${reason}.`,
    told: 'Is told about',
    replay: 'Replay missed events …',
    replayTitle: 'Replay missed events',
    replayAbout: (types: string) =>
      `Sends the events of this time that the endpoint has never answered with success and that are not waiting already, oldest first: ${types}. Events are kept for 30 days.`,
    since: 'From',
    until: 'Until',
    untilAbout: 'Leave it empty for now.',
    replayNow: 'Replay',
    replayed: (count: number) =>
      count === 0
        ? 'Nothing was missed in this time.'
        : count === 1
          ? '1 event is being sent.'
          : `${count} events are being sent.`,
    clock: 'On the clock of your browser.',
    manage: 'Manage',
    pause: 'Pause',
    pauseAbout: 'Nothing is sent until it is resumed, and waiting retries end.',
    pauseTitle: 'Pause this endpoint?',
    paused: 'The endpoint is paused.',
    rotate: 'Rotate the secret',
    rotateAbout: 'Gives it a new signing secret. The old one stops working at once.',
    rotateTitle: 'Rotate the secret?',
    rotateMore:
      'The old secret stops working at once. Deliveries that your server refuses until it knows the new one are tried again.',
    remove: 'Delete',
    removeAbout: 'Deletes the endpoint with its log. Waiting deliveries are not sent.',
    removeTitle: 'Delete this endpoint?',
    removeNow: 'Delete the endpoint',
    removeMore: 'It is deleted with its log and its waiting deliveries. This cannot be undone.',
    removed: 'The endpoint is deleted.',
  },
  {
    webhooks: 'Webhooks',
    title: 'Endpunkt',
    edit: 'Bearbeiten',
    ping: 'Testereignis senden',
    pinging: 'Das Testereignis ist unterwegs …',
    pingSlow: 'Es gibt noch kein Ergebnis. Es erscheint unten bei den Zustellungen.',
    pinged: (status: number, milliseconds: string) =>
      `Ihr Server hat nach ${milliseconds} ms mit ${status} geantwortet.`,
    pingFailed: (reason: string) => `Der Test ist fehlgeschlagen: ${reason}.`,
    told: 'Erfährt von',
    replay: 'Verpasste Ereignisse senden …',
    replayTitle: 'Verpasste Ereignisse senden',
    replayAbout: (types: string) =>
      `Sendet die Ereignisse dieser Zeit, die der Endpunkt nie mit Erfolg beantwortet hat und die nicht schon warten, die ältesten zuerst: ${types}. Ereignisse werden 30 Tage aufbewahrt.`,
    since: 'Von',
    until: 'Bis',
    untilAbout: 'Leer lassen für jetzt.',
    replayNow: 'Senden',
    replayed: (count: number) =>
      count === 0
        ? 'In dieser Zeit wurde nichts verpasst.'
        : count === 1
          ? '1 Ereignis wird gesendet.'
          : `${count} Ereignisse werden gesendet.`,
    clock: 'Nach der Uhr Ihres Browsers.',
    manage: 'Verwalten',
    pause: 'Pausieren',
    pauseAbout:
      'Es wird nichts gesendet, bis er wieder eingeschaltet wird, und wartende Wiederholungen enden.',
    pauseTitle: 'Diesen Endpunkt pausieren?',
    paused: 'Der Endpunkt ist pausiert.',
    rotate: 'Geheimnis erneuern',
    rotateAbout: 'Gibt ihm ein neues Signaturgeheimnis. Das alte gilt sofort nicht mehr.',
    rotateTitle: 'Das Geheimnis erneuern?',
    rotateMore:
      'Das alte Geheimnis gilt sofort nicht mehr. Zustellungen, die Ihr Server ablehnt, bis er das neue kennt, werden wiederholt.',
    remove: 'Löschen',
    removeAbout: 'Löscht den Endpunkt mit seinem Protokoll. Wartende Zustellungen werden nicht gesendet.',
    removeTitle: 'Diesen Endpunkt löschen?',
    removeNow: 'Endpunkt löschen',
    removeMore:
      'Er wird mit seinem Protokoll und seinen wartenden Zustellungen gelöscht. Das lässt sich nicht rückgängig machen.',
    removed: 'Der Endpunkt ist gelöscht.',
  },
);

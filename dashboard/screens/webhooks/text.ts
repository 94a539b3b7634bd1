import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  {
    title: 'Webhooks',
    about: 'Presswork tells your own servers when something happens, by a signed POST request.',
    add: 'Add an endpoint',
    none: 'No endpoints yet',
    noneAbout: 'An endpoint is an address of your server that is told about the events you choose.',
    columns: { url: 'Endpoint', health: 'State', events: 'Events', created: 'Created' },
    all: 'All events',
    health: {
      active: 'Active',
      failing: (count: number) =>
        count === 1 ? 'Failing: the last try failed' : `Failing: ${count} tries in a row`,
      disabled: 'Turned off',
      paused: 'Paused',
    },
    why: {
      failing: (limit: number) =>
        `After ${limit} failed tries in a row it is turned off. One success counts from the start again.`,
      disabled: (reason: string) => `Nothing is sent. The reason: ${reason}.`,
      afterFailures: 'It was turned off after 12 failed tries in a row. Nothing is sent to it.',
      paused: 'Somebody paused it. Nothing is sent to it.',
      since: 'Since',
      missed: 'You can send the events that it misses when it is on again.',
      on: 'Turn on again',
      isOn: 'The endpoint is on again. Replay what it missed if you need it.',
    },
    form: {
      create: 'Add an endpoint',
      edit: 'Edit the endpoint',
      url: 'URL',
      urlAbout: 'A public https address of your server.',
      description: 'Description',
      descriptionAbout: 'For you and your team. It is not sent.',
      events: 'Events',
      eventsAbout: 'What it is told about.',
      save: 'Save changes',
      saved: 'The endpoint is saved.',
      conflict: (url: string, events: string) =>
        `Somebody else changed this endpoint meanwhile. It is now ${url} with ${events}. Your input is still here: save again to replace theirs.`,
    },
    secret: {
      title: 'The signing secret',
      label: 'Signing secret',
      once: 'It is shown once. Keep it where your server reads its secrets.',
      lost: 'The secret was in an answer that did not arrive, and is not shown again. Rotate it to get a new one.',
      verify: 'Verify deliveries (TypeScript)',
      done: 'I have copied it',
    },
    listen: {
      title: 'Try it without a server',
      about:
        'This command sends the events of the Site to a program on your own computer, signed like deliveries.',
      code: 'In your terminal',
    },
  },
  {
    title: 'Webhooks',
    about:
      'Presswork benachrichtigt Ihre eigenen Server durch eine signierte POST-Anfrage, wenn etwas geschieht.',
    add: 'Endpunkt hinzufügen',
    none: 'Noch keine Endpunkte',
    noneAbout: 'Ein Endpunkt ist eine Adresse Ihres Servers, die von gewählten Ereignissen erfährt.',
    columns: { url: 'Endpunkt', health: 'Zustand', events: 'Ereignisse', created: 'Angelegt' },
    all: 'Alle Ereignisse',
    health: {
      active: 'Aktiv',
      failing: (count: number) =>
        count === 1 ? 'Gestört: letzter Versuch fehlgeschlagen' : `Gestört: ${count} Fehlversuche in Folge`,
      disabled: 'Abgeschaltet',
      paused: 'Pausiert',
    },
    why: {
      failing: (limit: number) =>
        `Nach ${limit} Fehlversuchen in Folge wird er abgeschaltet. Nach einem Erfolg beginnt die Zählung neu.`,
      disabled: (reason: string) => `Es wird nichts gesendet. Der Grund: ${reason}.`,
      afterFailures: 'Er wurde nach 12 Fehlversuchen in Folge abgeschaltet. Es wird nichts mehr gesendet.',
      paused: 'Jemand hat ihn pausiert. Es wird nichts gesendet.',
      since: 'Seit',
      missed: 'Verpasste Ereignisse können Sie senden, wenn er wieder eingeschaltet ist.',
      on: 'Wieder einschalten',
      isOn: 'Der Endpunkt ist wieder eingeschaltet. Senden Sie nach, was er verpasst hat, falls nötig.',
    },
    form: {
      create: 'Endpunkt hinzufügen',
      edit: 'Endpunkt bearbeiten',
      url: 'URL',
      urlAbout: 'Eine öffentliche https-Adresse Ihres Servers.',
      description: 'Beschreibung',
      descriptionAbout: 'Für Sie und Ihr Team. Sie wird nicht gesendet.',
      events: 'Ereignisse',
      eventsAbout: 'Wovon er erfährt.',
      save: 'Änderungen speichern',
      saved: 'Der Endpunkt ist gespeichert.',
      conflict: (url: string, events: string) =>
        `Jemand anderes hat diesen Endpunkt inzwischen geändert. Er ist jetzt ${url} mit ${events}. Ihre Eingaben sind noch da: Speichern Sie erneut, um die andere Fassung zu ersetzen.`,
    },
    secret: {
      title: 'Das Signaturgeheimnis',
      label: 'Signaturgeheimnis',
      once: 'Es wird nur einmal gezeigt. Bewahren Sie es dort auf, wo Ihr Server seine Geheimnisse liest.',
      lost: 'Das Geheimnis war in einer Antwort, die nicht ankam, und wird nicht noch einmal gezeigt. Erneuern Sie es.',
      verify: 'Zustellungen prüfen (TypeScript)',
      done: 'Ich habe es kopiert',
    },
    listen: {
      title: 'Ohne Server ausprobieren',
      about:
        'Dieser Befehl sendet die Ereignisse der Site an ein Programm auf Ihrem Rechner, signiert wie Zustellungen.',
      code: 'In Ihrem Terminal',
    },
  },
);

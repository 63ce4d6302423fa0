// The page's own words and times, in the person's language. Without a translation they are English.

let language = "en-GB";

/** Speak a Discord locale such as "de" from now on. */
export function speak(locale) {
  language = locale;
  document.documentElement.lang = locale;
}

/** The language of the browser, as Discord calls it. */
export function ofBrowser() {
  const wanted = navigator.language.split("-")[0];
  return COLUMNS.find((one) => one.split("-")[0] === wanted) ?? "en-GB";
}

/** Return English words in the person's language, with `{name}` filled in from `values`. */
export function say(english, values = {}) {
  const words = WORDS[english]?.[COLUMNS.indexOf(language)] ?? english;
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Return a date as the person's language writes it; `style` is of Intl.DateTimeFormat. */
export function written(date, style) {
  return new Intl.DateTimeFormat(language, style).format(date);
}

/** Return a number of units from now, such as "in 5 minutes". */
export function fromNow(number, unit) {
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(number, unit);
}

const COLUMNS = ["de", "fr", "hi", "sv-SE"];

const WORDS = {
  "{count} chosen, {min} to {max}": ["{count} gewählt, {min} bis {max}", "{count} choisis, de {min} à {max}", "{count} चुने, {min} से {max}", "{count} valda, {min} till {max}"],
  "{count} messages": ["{count} Nachrichten", "{count} messages", "{count} संदेश", "{count} meddelanden"],
  "{count} of {max}": ["{count} von {max}", "{count} sur {max}", "{max} में से {count}", "{count} av {max}"],
  "{name} is thinking…": ["{name} denkt nach …", "{name} réfléchit…", "{name} सोच रहा है…", "{name} tänker…"],
  "{name} is typing…": ["{name} schreibt …", "{name} écrit…", "{name} लिख रहा है…", "{name} skriver…"],
  "{name} was pinged. Nobody else is here, so ": ["{name} wurde gerufen. Sonst ist niemand hier: ", "{name} a été appelé. Il n'y a personne d'autre ici : ", "{name} को बुलाया गया। यहाँ और कोई नहीं है, इसलिए ", "{name} blev pingad. Ingen annan är här, så "],
  "1 message": ["1 Nachricht", "1 message", "1 संदेश", "1 meddelande"],
  "Actions for that person": ["Aktionen zu dieser Person", "Actions pour cette personne", "उस व्यक्ति के लिए विकल्प", "Åtgärder för personen"],
  "App": ["App", "Appli", "ऐप", "App"],
  "Apps": ["Apps", "Applis", "ऐप", "Appar"],
  "At least {count} characters, please.": ["Bitte mindestens {count} Zeichen.", "Au moins {count} caractères.", "कृपया कम से कम {count} अक्षर।", "Minst {count} tecken, tack."],
  "At least {count}, please.": ["Bitte mindestens {count}.", "Au moins {count}.", "कृपया कम से कम {count}।", "Minst {count}, tack."],
  "At most {count} characters, please.": ["Bitte höchstens {count} Zeichen.", "{count} caractères au plus.", "कृपया ज़्यादा से ज़्यादा {count} अक्षर।", "Högst {count} tecken, tack."],
  "At most {count}, please.": ["Bitte höchstens {count}.", "{count} au plus.", "कृपया ज़्यादा से ज़्यादा {count}।", "Högst {count}, tack."],
  "A number, please.": ["Bitte eine Zahl.", "Un nombre.", "कृपया एक संख्या।", "Ett tal, tack."],
  "A whole number, please.": ["Bitte eine ganze Zahl.", "Un nombre entier.", "कृपया एक पूर्ण संख्या।", "Ett heltal, tack."],
  "Cancel": ["Abbrechen", "Annuler", "रद्द करें", "Avbryt"],
  "Change person": ["Person wechseln", "Changer de personne", "व्यक्ति बदलें", "Byt person"],
  "Channels": ["Kanäle", "Salons", "चैनल", "Kanaler"],
  "Close": ["Schließen", "Fermer", "बंद करें", "Stäng"],
  "Close a list or command, or go to the newest message": ["Liste oder Befehl schließen, oder zur neuesten Nachricht", "Fermer une liste ou une commande, ou aller au dernier message", "सूची या कमांड बंद करें, या सबसे नए संदेश पर जाएँ", "Stäng en lista eller ett kommando, eller gå till det senaste meddelandet"],
  "Colours: {words}": ["Farben: {words}", "Couleurs : {words}", "रंग: {words}", "Färger: {words}"],
  "Cycle through channels, messages, text box and people": ["Zwischen Kanälen, Nachrichten, Textfeld und Personen wechseln", "Passer des salons aux messages, au champ et aux personnes", "चैनल, संदेश, लिखने की जगह और लोगों के बीच घूमें", "Växla mellan kanaler, meddelanden, textruta och personer"],
  "Colours: {words}. Change": ["Farben: {words}. Ändern", "Couleurs : {words}. Changer", "रंग: {words}। बदलें", "Färger: {words}. Ändra"],
  "dark": ["dunkel", "sombre", "गहरे", "mörka"],
  "Direct messages": ["Direktnachrichten", "Messages privés", "निजी संदेश", "Direktmeddelanden"],
  "Dismiss message": ["Nachricht ausblenden", "Masquer le message", "संदेश हटाएँ", "Dölj meddelandet"],
  "Dismiss this hint": ["Hinweis ausblenden", "Masquer cette aide", "यह सुझाव हटाएँ", "Dölj tipset"],
  "Done": ["Fertig", "Terminé", "हो गया", "Klar"],
  "Edited {time}": ["Bearbeitet {time}", "Modifié {time}", "{time} को बदला गया", "Redigerat {time}"],
  "(edited)": ["(bearbeitet)", "(modifié)", "(बदला गया)", "(redigerat)"],
  "Enlarge picture": ["Bild vergrößern", "Agrandir l'image", "चित्र बड़ा करें", "Förstora bilden"],
  "Hide description": ["Beschreibung ausblenden", "Masquer la description", "विवरण छिपाएँ", "Dölj beskrivningen"],
  "in a second window": ["in einem zweiten Fenster", "dans une seconde fenêtre", "दूसरी विंडो में", "i ett andra fönster"],
  "Keyboard": ["Tastatur", "Clavier", "कीबोर्ड", "Tangentbord"],
  "Language": ["Sprache", "Langue", "भाषा", "Språk"],
  "Leave {name}": ["{name} verlassen", "Quitter {name}", "{name} छोड़ें", "Lämna {name}"],
  "light": ["hell", "clair", "हल्के", "ljusa"],
  "Loading…": ["Lädt …", "Chargement…", "लोड हो रहा है…", "Laddar…"],
  "Loading earlier messages…": ["Frühere Nachrichten werden geladen …", "Chargement des messages précédents…", "पुराने संदेश लोड हो रहे हैं…", "Laddar tidigare meddelanden…"],
  "Make a selection": ["Triff eine Auswahl", "Fais un choix", "चुनें", "Gör ett val"],
  "Mention": ["Erwähnen", "Mentionner", "उल्लेख करें", "Omnämn"],
  "Message {name}": ["Nachricht an {name}", "Envoyer un message à {name}", "{name} को संदेश", "Meddelande till {name}"],
  "Message {name}. Type a slash for commands.": ["Nachricht an {name}. Ein Schrägstrich zeigt die Befehle.", "Envoyer un message à {name}. Tape une barre oblique pour les commandes.", "{name} को संदेश। कमांड के लिए स्लैश लिखें।", "Meddelande till {name}. Skriv ett snedstreck för kommandon."],
  "Move through the messages with ↑ and ↓": ["Mit ↑ und ↓ durch die Nachrichten gehen", "Parcourir les messages avec ↑ et ↓", "↑ और ↓ से संदेशों में चलें", "Gå genom meddelandena med ↑ och ↓"],
  "New": ["Neu", "Nouveau", "नया", "Nytt"],
  "New messages": ["Neue Nachrichten", "Nouveaux messages", "नए संदेश", "Nya meddelanden"],
  "Next": ["Weiter", "Suivant", "अगला", "Nästa"],
  "Next field of a command, next control elsewhere": ["Nächstes Feld eines Befehls, sonst nächstes Element", "Champ suivant d'une commande, ailleurs élément suivant", "कमांड का अगला खाना, बाकी जगह अगला बटन", "Nästa fält i ett kommando, annars nästa kontroll"],
  "Not connected. Trying again…": ["Keine Verbindung. Neuer Versuch …", "Pas de connexion. Nouvel essai…", "कनेक्शन नहीं है। फिर कोशिश हो रही है…", "Ingen anslutning. Försöker igen…"],
  "Nothing matches that.": ["Dazu passt nichts.", "Rien ne correspond.", "इससे कुछ मेल नहीं खाता।", "Inget matchar."],
  "Nowhere": ["Nirgends", "Nulle part", "कहीं नहीं", "Ingenstans"],
  "Only the two of you can read this.": ["Das könnt nur ihr beide lesen.", "Vous seuls pouvez lire ceci.", "इसे केवल आप दोनों पढ़ सकते हैं।", "Bara ni två kan läsa det här."],
  "Only you can see this, until Discord is reloaded": ["Nur du siehst das, bis Discord neu geladen wird", "Toi seul vois ceci, jusqu'à ce que Discord soit rechargé", "यह केवल आपको दिखता है, Discord दोबारा लोड होने तक", "Bara du ser det här, tills Discord laddas om"],
  "Open a window as {name}": ["Fenster als {name} öffnen", "Ouvrir une fenêtre en tant que {name}", "{name} बनकर विंडो खोलें", "Öppna ett fönster som {name}"],
  "Open original": ["Original öffnen", "Ouvrir l'original", "मूल खोलें", "Öppna originalet"],
  "Open thread": ["Thread öffnen", "Ouvrir le fil", "थ्रेड खोलें", "Öppna tråden"],
  "Original message was deleted": ["Die ursprüngliche Nachricht wurde gelöscht", "Le message d'origine a été supprimé", "मूल संदेश हटा दिया गया", "Originalmeddelandet har tagits bort"],
  "People": ["Personen", "Personnes", "लोग", "Personer"],
  "Picture": ["Bild", "Image", "चित्र", "Bild"],
  "Close picture": ["Bild schließen", "Fermer l'image", "चित्र बंद करें", "Stäng bilden"],
  "Please choose from the list.": ["Bitte wähle aus der Liste.", "Choisis dans la liste.", "कृपया सूची से चुनें।", "Välj i listan."],
  "Please choose one from the list.": ["Bitte wähle eins aus der Liste.", "Choisis un élément de la liste.", "कृपया सूची से एक चुनें।", "Välj en i listan."],
  "Please choose.": ["Bitte wähle.", "Fais un choix.", "कृपया चुनें।", "Välj."],
  "Please choose one.": ["Bitte wähle eins.", "Choisis-en un.", "कृपया एक चुनें।", "Välj en."],
  "Please choose at least one.": ["Bitte wähle mindestens eins.", "Choisis-en au moins un.", "कृपया कम से कम एक चुनें।", "Välj minst en."],
  "Please choose at least {count}.": ["Bitte wähle mindestens {count}.", "Choisis-en au moins {count}.", "कृपया कम से कम {count} चुनें।", "Välj minst {count}."],
  "Please fill this in.": ["Bitte fülle das aus.", "Remplis ce champ.", "कृपया इसे भरें।", "Fyll i detta."],
  "Previous": ["Zurück", "Précédent", "पिछला", "Föregående"],
  "Previous or next channel": ["Voriger oder nächster Kanal", "Salon précédent ou suivant", "पिछला या अगला चैनल", "Föregående eller nästa kanal"],
  "Rejoin": ["Wieder beitreten", "Revenir", "फिर शामिल हों", "Gå med igen"],
  "same as system": ["wie das System", "comme le système", "सिस्टम जैसे", "som systemet"],
  "Search": ["Suchen", "Rechercher", "खोजें", "Sök"],
  "Search {label}": ["{label}: suchen", "{label} : rechercher", "{label} में खोजें", "{label}: sök"],
  "Select a channel": ["Wähle einen Kanal", "Choisis un salon", "चैनल चुनें", "Välj en kanal"],
  "Select a person": ["Wähle eine Person", "Choisis une personne", "व्यक्ति चुनें", "Välj en person"],
  "Select a person or role": ["Wähle eine Person oder Rolle", "Choisis une personne ou un rôle", "व्यक्ति या भूमिका चुनें", "Välj en person eller roll"],
  "Select a role": ["Wähle eine Rolle", "Choisis un rôle", "भूमिका चुनें", "Välj en roll"],
  "Send": ["Senden", "Envoyer", "भेजें", "Skicka"],
  "Send, or pick the highlighted entry of a list": ["Senden, oder den markierten Eintrag einer Liste wählen", "Envoyer, ou choisir l'entrée surlignée d'une liste", "भेजें, या सूची की उभरी प्रविष्टि चुनें", "Skicka, eller välj den markerade raden i en lista"],
  "Send a direct message": ["Direktnachricht senden", "Envoyer un message privé", "निजी संदेश भेजें", "Skicka ett direktmeddelande"],
  "Sending {command}…": ["{command} wird gesendet …", "Envoi de {command}…", "{command} भेजा जा रहा है…", "Skickar {command}…"],
  "Show description": ["Beschreibung zeigen", "Afficher la description", "विवरण दिखाएँ", "Visa beskrivningen"],
  "Submit": ["Absenden", "Envoyer", "भेजें", "Skicka in"],
  "The bot has no suggestions for that.": ["Dazu hat der Bot keine Vorschläge.", "Le bot n'a rien à proposer.", "इसके लिए बॉट के पास सुझाव नहीं हैं।", "Botten har inga förslag."],
  "The bot hasn't registered its commands yet.": ["Der Bot hat seine Befehle noch nicht angemeldet.", "Le bot n'a pas encore déclaré ses commandes.", "बॉट ने अभी अपने कमांड दर्ज नहीं किए हैं।", "Botten har inte registrerat sina kommandon än."],
  "There's no such command.": ["Diesen Befehl gibt es nicht.", "Cette commande n'existe pas.", "ऐसा कोई कमांड नहीं है।", "Det kommandot finns inte."],
  "There's no such command. Pick one from the list, or start with another character to write a message.": ["Diesen Befehl gibt es nicht. Wähle einen aus der Liste, oder beginne eine Nachricht mit einem anderen Zeichen.", "Cette commande n'existe pas. Choisis-en une dans la liste, ou commence par un autre caractère pour écrire un message.", "ऐसा कोई कमांड नहीं है। सूची से चुनें, या संदेश लिखने के लिए किसी और अक्षर से शुरू करें।", "Det kommandot finns inte. Välj ett i listan, eller börja med ett annat tecken för att skriva ett meddelande."],
  "This is the start of the channel.": ["Hier beginnt der Kanal.", "C'est le début du salon.", "चैनल यहाँ से शुरू होता है।", "Här börjar kanalen."],
  "This one is required.": ["Das wird gebraucht.", "Ce champ est obligatoire.", "यह ज़रूरी है।", "Det här krävs."],
  "Thread in {channel}": ["Thread in {channel}", "Fil dans {channel}", "{channel} में थ्रेड", "Tråd i {channel}"],
  "Use a command": ["Befehl eingeben", "Utiliser une commande", "कमांड दें", "Använd ett kommando"],
  "used": ["hat verwendet:", "a utilisé", "ने इस्तेमाल किया:", "använde"],
  "Welcome to {channel}": ["Willkommen in {channel}", "Bienvenue dans {channel}", "{channel} में स्वागत है", "Välkommen till {channel}"],
  "You've left {name}.": ["Du hast {name} verlassen.", "Tu as quitté {name}.", "आपने {name} छोड़ दिया है।", "Du har lämnat {name}."],
  "be {name}": ["sei {name}", "sois {name}", "{name} बनें", "bli {name}"],
  "Be {name}": ["{name} sein", "Être {name}", "{name} बनें", "Bli {name}"],
  " now, or ": [" jetzt, oder ", " maintenant, ou ", " अभी, या ", " nu, eller "],
  "{count} moves": ["{count} Züge", "{count} coups", "{count} चालें", "{count} drag"],
  "your turn": ["du bist dran", "à toi", "आपकी बारी", "din tur"],
  "Move {number} of {all}": ["Zug {number} von {all}", "Coup {number} sur {all}", "चाल {number} / {all}", "Drag {number} av {all}"],
  "Tap a marked square.": ["Tippe auf ein markiertes Feld.", "Touche une case marquée.", "निशान वाले खाने पर टैप करें।", "Tryck på en markerad ruta."],
  "Now": ["Jetzt", "Maintenant", "अभी", "Nu"],
  "Undo": ["Zurück", "Annuler", "वापस", "Ångra"],
  "Type a move": ["Zug eintippen", "Taper un coup", "चाल लिखें", "Skriv ett drag"],
  "Play": ["Spielen", "Jouer", "खेलें", "Spela"],
  "You have no games going. Start one in Discord with `/play`.": ["Du hast keine laufenden Partien. Fang mit `/play` in Discord eine an.", "Tu n'as aucune partie en cours. Commence-en une dans Discord avec `/play`.", "आपका कोई खेल नहीं चल रहा। Discord में `/play` से शुरू करें।", "Du har inga partier igång. Starta ett i Discord med `/play`."],
  "Press **Open the board** below a board in Discord, behind *More*. It gives you a link to this page.": ["Drück in Discord unter einem Brett auf *Mehr* und dann auf **Brett öffnen**. Das gibt dir einen Link zu dieser Seite.", "Dans Discord, sous un plateau, appuie sur *Plus* puis **Ouvrir le plateau**. Tu auras un lien vers cette page.", "Discord में किसी बोर्ड के नीचे *और* दबाकर **बोर्ड खोलें** दबाएँ। आपको इस पेज का लिंक मिलेगा।", "Tryck på *Mer* och sedan **Öppna brädet** under ett bräde i Discord. Då får du en länk hit."],
};

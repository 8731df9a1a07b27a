"""The kinds of identifiers that HIPAA's Safe Harbor names, and what to do about each.

The list is that of 45 CFR 164.514(b)(2)(i), items A to R.

By what columns give away that they hold identifiers: by their names, or by their values.

Names are examined in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish,
and where a word is much the same also in other languages. Accents do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum

__all__ = [
    "CALLED",
    "LOOKS_LIKE",
    "NOT_PEOPLE",
    "OF_ONE_PERSON",
    "ORDERED",
    "RESTRICTED_ZIPS",
    "IdentifierKind",
    "words_of",
]


class IdentifierKind(Enum):
    """One of the 18 kinds of identifiers, by its letter in the rule; ages are part of C."""

    NAME = "A", "names", "drop the column, or replace it by pseudonyms"
    PLACE = (
        "B",
        "places smaller than a state",
        "publish the state, or the first three digits of a ZIP code where more than 20,000 people "
        "live, and 000 elsewhere",
    )
    ADDRESS = "B", "street addresses", "drop the column"
    DATE = "C", "dates other than the year", "publish the year alone, or an age"
    AGE = "C", "ages over 89", "put all ages over 89 into one group, 90 or older"
    PHONE = "D", "telephone numbers", "drop the column"
    FAX = "E", "fax numbers", "drop the column"
    EMAIL = "F", "email addresses", "drop the column"
    SOCIAL_SECURITY = "G", "social security numbers", "drop the column"
    MEDICAL_RECORD = "H", "medical record numbers", "drop the column, or replace it by pseudonyms"
    HEALTH_PLAN = "I", "health plan beneficiary numbers", "drop the column"
    ACCOUNT = "J", "account numbers", "drop the column"
    CERTIFICATE = "K", "certificate and license numbers", "drop the column"
    VEHICLE = "L", "vehicle identifiers and license plates", "drop the column"
    DEVICE = "M", "device identifiers and serial numbers", "drop the column"
    URL = "N", "web addresses", "drop the column"
    IP = "O", "IP addresses", "drop the column"
    BIOMETRIC = "P", "biometric identifiers", "drop the column"
    PHOTO = "Q", "photographs of faces", "drop the column"
    PERSON = (
        "R",
        "numbers or codes of people",
        "drop the column, or replace it by pseudonyms that are made of nothing about the person",
    )
    OTHER = (
        "R",
        "other unique numbers, traits or codes",
        "drop the column, or replace it by pseudonyms that are made of nothing about the person",
    )

    def __init__(self, letter: str, title: str, remedy: str) -> None:
        self.letter = letter
        self.title = title
        self.remedy = remedy

    @property
    def is_direct(self) -> bool:
        """Whether it tells who a record is about by itself, and not only beside other columns."""
        return self not in (IdentifierKind.PLACE, IdentifierKind.DATE, IdentifierKind.AGE)

    @property
    def numbers_people(self) -> bool:
        """Whether everybody has one of their own, so that records with the same belong together."""
        return self in OF_ONE_PERSON


OF_ONE_PERSON = (
    IdentifierKind.MEDICAL_RECORD,
    IdentifierKind.PERSON,
    IdentifierKind.HEALTH_PLAN,
    IdentifierKind.SOCIAL_SECURITY,
    IdentifierKind.ACCOUNT,
    IdentifierKind.CERTIFICATE,
    IdentifierKind.EMAIL,
    IdentifierKind.OTHER,
)
"""The kinds that everybody has one of their own of, the most confident first."""


_NUMBER = (
    r"(id|ids|uid|pid|no|nr|num|number|code|serial|key|ref|nummer|kennung|kennzahl|schlue?ssel|"
    r"numero|identifiant|identificador|identificativo|identyfikator|codigo|codice|cod|kod|kodu|"
    r"numer|numeru|numara|numarasi|matricule|matricola|tunnus|cislo)"
)
"""What numbers are called."""

_PATIENT = r"(patient|patienten|patiente|paciente|paziente|pacjent|pacjenta|hasta|potilas|pat|pt)"
_PERSON = (
    r"(person|personen|persons|people|individual|customer|client|clients|employee|staff|worker|user|"
    r"subject|participant|respondent|student|pupil|passenger|guest|resident|citizen|donor|visitor|"
    r"applicant|borrower|cardholder|household|case|cust|emp|subj|usubj|"
    r"kunde|kunden|klient|klienten|mitglied|mitglieds|mitglieder|mitarbeiter|personal|teilnehmer|"
    r"proband|probanden|schue?ler|studenten|bue?rger|bewohner|einwohner|benutzer|nutzer|mandanten|"
    r"fall|personne|cliente|adherent|salarie|employe|etudiant|eleve|usager|sujet|individu|citoyen|"
    r"persona|socio|empleado|estudiante|alumno|usuario|sujeto|participante|individuo|ciudadano|"
    r"trabajador|dipendente|studente|alunno|utente|soggetto|partecipante|cittadino|pessoa|"
    r"funcionario|estudante|aluno|cidadao|persoon|persoons|klant|klanten|clienten|lid|medewerker|"
    r"medewerkers|werknemer|werknemers|deelnemer|deelnemers|burger|gebruiker|gebruikers|personeels|"
    r"osoby|osoba|klienta|czlonka|pracownika|uczestnika|studenta|uzytkownika|kisi|musteri|uye|"
    r"calisan|personel|ogrenci|kullanici|katilimci|vatandas|kund|medlem|medlems|asiakas|henkilo|"
    r"zakaznika)"
)
"""What people are called, also as the first half of a compound."""

_INSURED = (
    r"(insurance|insured|beneficiary|member|subscriber|policy|medicare|medicaid|health plan|"
    r"versicherte|versicherten|versicherungs|krankenversicherten|policen|assure|beneficiaire|poliza|"
    r"asegurado|afiliado|polizza|assicurato|assistito|apolice|segurado|beneficiario|verzekerden|"
    r"polis|ubezpieczonego|sigorta|sigortali)"
)
_ACCOUNT = (
    r"(account|acct|credit card|card|konto|karten|kreditkarten|compte|carte|cuenta|tarjeta|conto|"
    r"carta|conta|cartao|rekening|konta|karty|hesap|kart)"
)
_OF = r"(?:(?:d|de|du|del|della|dell|di|do|da|van|von|le|la|el|il|l) ?)*"


def _numbered(who: str) -> str:
    """Match the number of a person, in either order and in one word: ``Kundennr``, ``idclient``."""
    return rf"\b{who} ?{_NUMBER}\b|\b{_NUMBER} ?{_OF}{who}\b"


NOT_PEOPLE = (
    r"\b(drug|product|brand|test|hospital|clinic|ward|department|unit|country|state|region|company|"
    r"file|table|column|course|school|event|disease|diagnosis|medication|medicine|procedure|"
    r"treatment|device|species|gene|variable|group|class|category|job|shop|store|item|study|trial|"
    r"order|invoice|transaction|visit|encounter|episode|session|produkt|medikament|klinik|station|"
    r"krankenhaus|abteilung|produit|medicament|hopital|service|producto|medicamento|prodotto|"
    r"farmaco|ospedale|produto|geneesmiddel|ziekenhuis|produktu|leku|urun|ilac)\b"
)
"""What is called by a name or has a number, and is nobody."""

CALLED: tuple[tuple[IdentifierKind, str, str | None], ...] = (
    (
        IdentifierKind.EMAIL,
        r"\be ?mails?\b|\bemailaddress\b|\bcourriel\b|\bcorreo( electronico)?\b|\be ?posta\b|"
        r"\bposta elettronica\b",
        r"\b(sent|opened|consent|count|opt)\b",
    ),
    (IdentifierKind.IP, r"\bip\b|\bip ?addr(ess)?\b|\bipv[46]\b|\bip ?adresse\b", None),
    (
        IdentifierKind.DEVICE,
        rf"\b(device|equipment|implant|gerae?te) ?{_NUMBER}\b|\bimei\b|\bimsi\b|\budid\b",
        None,
    ),
    (
        IdentifierKind.DEVICE,
        r"\bmac ?addr(ess)?\b|\bserial (no|nr|number)\b|\bseriennummer\b",
        None,
    ),
    (IdentifierKind.URL, r"\burls?\b|\buri\b|\bweb ?(site|page|address)\b|\bhome ?page\b", None),
    (IdentifierKind.FAX, r"\b(tele)?fax\b", None),
    (
        IdentifierKind.PHONE,
        r"\b(tele)?phones?\b|\bmobile( (no|nr|number|phone))?$|\bcell ?phone\b|\btel\b|"
        r"\b(telefon|mobil|handy)(nummer|nr)?\b|\btelefono\b|\btelefone\b|\btelefoon(nummer)?\b|"
        r"\bmovil\b|\bcelular\b|\bcellulare\b|\btelemovel\b|\brufnummer\b|\btelefonu\b",
        r"\b(type|model|brand|has|use|usage|owns)\b",
    ),
    (
        IdentifierKind.SOCIAL_SECURITY,
        r"\bssn\b|\bsocial ?security\b|\bsocial insurance (no|number)\b|\bnational (id|number)\b|"
        r"\bnhs (no|number)\b|\baadhaar\b|\bahv( ?(nr|nummer))?\b|\bsvnr\b|"
        r"\bsozialversicherungs ?(nr|nummer)\b|\bsteuer ?(id|nummer)\b|\bnir\b|"
        r"\bsecurite sociale\b|\bnum secu\b|\bdni\b|\bnif\b|\bnuss\b|\bcurp\b|"
        r"\bcedula\b|\bcodice fiscale\b|\bcpf\b|"
        r"\bbsn\b|\bburgerservicenummer\b|\bpesel\b|\btckn\b|\b(tc )?kimlik( (no|numarasi))?\b|"
        r"\bpersonnummer\b|\bcpr ?(nr|nummer)?\b|\bfodselsnummer\b|\bhenkilotunnus\b|"
        r"\brodne cislo\b|\bcnp\b",
        None,
    ),
    (
        IdentifierKind.MEDICAL_RECORD,
        rf"\bmrn\b|\b(medical|health|chart)( record)? {_NUMBER}\b|\bpatient record {_NUMBER}\b|"
        rf"{_numbered(_PATIENT)}|\b{_NUMBER} {_OF}dossier\b|\bhistoria clinica\b|\bnhc\b|"
        r"\bprontuario\b|\bcartella clinica\b|\bfall ?(nr|nummer)\b|\bprotokol no\b",
        r"\bhealth code\b",
    ),
    (IdentifierKind.HEALTH_PLAN, _numbered(_INSURED), None),
    (IdentifierKind.ACCOUNT, rf"\biban\b|{_numbered(_ACCOUNT)}|^account$", None),
    (
        IdentifierKind.CERTIFICATE,
        rf"\bpassport\b|\b(licen[cs]e|certificate|driver s licen[cs]e) {_NUMBER}\b|"
        r"\b(reise)?pass ?(nr|nummer)\b|\breisepass\b|\b(personal)?ausweis ?(nr|nummer)?\b|"
        r"\bfue?hrerschein ?(nr|nummer)\b|\bpasseport\b|\bpasaporte\b|\bpassaporto\b|"
        r"\bpassaporte\b|\bpaspoort(nummer)?\b|\bpaszport\b|\bpasaport\b",
        None,
    ),
    (
        IdentifierKind.VEHICLE,
        rf"\bvin\b|\b(licen[cs]e|number) plate\b|\bvehicle {_NUMBER}\b|\b(kfz|auto) ?kennzeichen\b|"
        r"\bnummernschild\b|\bfahrgestell ?(nr|nummer)\b|\bimmatriculation\b|\btarga\b|\bplaka\b|"
        r"\bkenteken\b",
        None,
    ),
    (
        IdentifierKind.BIOMETRIC,
        r"\bfinger ?prints?\b|\bvoice ?prints?\b|\bbiometrics?\b|\biris scan\b",
        None,
    ),
    (IdentifierKind.BIOMETRIC, r"\bretina scan\b|\bdna (sequence|profile)\b", None),
    (
        IdentifierKind.PHOTO,
        r"\bphoto(graph)?s?\b|\bportrait\b|\bselfie\b|\bmug ?shot\b|\bface image\b",
        None,
    ),
    (
        IdentifierKind.NAME,
        r"\b(name|names|surname|forename|firstname|lastname|fullname|givenname|familyname|vorname|"
        r"nachname|familienname|nom|prenom|nombres?(?! (de|d|des)\b)|apellidos?|nome|cognome|"
        r"sobrenome|naam|voornaam|achternaam|imie|nazwisko|adi|soyad|soyadi|fornamn|efternamn)\b|"
        rf"\b({_PATIENT}|{_PERSON})n(ame|aam)\b",
        NOT_PEOPLE,
    ),
    (
        IdentifierKind.ADDRESS,
        r"\b(street|addr(ess)?|adresse|anschrift|strasse|hausnummer|rue|direccion|domicilio|calle|"
        r"indirizzo|endereco|rua|morada|adres|straat|ulica|sokak|cadde)\b",
        r"\b(e ?mail|ip|mac|web|street(light)?s?count|size|type)\b",
    ),
    (
        IdentifierKind.PLACE,
        r"\b(city|town|village|county|precinct|parish|municipality|borough|zip|"
        r"zipcode|post ?code|postal|geocode|latitude|longitude|gps|neighbou?rhood|census tract|"
        r"plz|postleitzahl|wohnort|stadt|gemeinde|ville|commune|ciudad|municipio|citta|comune|"
        r"cidade|cep|gemeente|woonplaats|miasto|gmina|kod pocztowy|sehir|ilce|posta kodu)\b",
        r"\b(e ?mail|ip|mac|web|size|type)\b",
    ),
    (IdentifierKind.PERSON, rf"{_numbered(_PERSON)}|^({_PATIENT}|{_PERSON})$", NOT_PEOPLE),
    (
        IdentifierKind.OTHER,
        r"\b(id|uid|uuid|guid|pid|identifier|username|userid|login|identifiant|identificador|"
        r"identificativo|identyfikator|kennung|matricule|matricola|matricula|rownames?|rowid|recno)"
        r"\b|\b(row|record|line|seq|lfd|laufende) ?(no|nr|num|number|nummer)\b|^unnamed 0$|"
        r"^(no|nr|num|number|nummer|numero|numer|numara|index)$",
        None,
    ),
)
"""Kind, what the words of a column's name must match, and what not; the first one counts."""

ORDERED = (
    r"\b(ages?|alter|edad|eta|idade|leeftijd|wiek|yas|years?|yr|jahr|annee|ano|anno|jaar|rok|yil|"
    r"ranks?|scores?|days?|weeks?|months?|hours?|minutes?|seconds?|time|timestamp|date|epoch|price|"
    r"cost|amount|salary|income|wage|pay|balance|weight|height|distance|population|count|total|sum|"
    r"betrag|preis|gehalt|lohn|prix|montant|salaire|precio|importe|salario|prezzo|importo|prijs|"
    r"bedrag|salaris|cena|kwota|fiyat|tutar|maas)\b"
)
"""What is measured, and may be different for everybody without being a number of anybody."""

_BYTE = r"(25[0-5]|2[0-4]\d|1?\d?\d)"
_MONTH, _DAY = r"(0?[1-9]|1[0-2])", r"(0?[1-9]|[12]\d|3[01])"

LOOKS_LIKE: Mapping[IdentifierKind, re.Pattern[str]] = {
    kind: re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    for kind, patterns in {
        IdentifierKind.EMAIL: [r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"],
        IdentifierKind.URL: [r"(https?://|www\.)\S+"],
        IdentifierKind.IP: [rf"{_BYTE}(\.{_BYTE}){{3}}", r"([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}"],
        IdentifierKind.DEVICE: [r"([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}"],
        IdentifierKind.SOCIAL_SECURITY: [
            r"\d{3}-\d{2}-\d{4}",
            r"756\.\d{4}\.\d{4}\.\d{2}",
            r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]",
            r"\d{8}-?[A-Z]",
            r"\d{3}\.\d{3}\.\d{3}-\d{2}",
            r"(\d\d)?\d{6}[-+]\d{4}",
            r"[12] ?\d\d ?(0[1-9]|1[0-2]) ?\d[\dAB] ?\d{3} ?\d{3}( ?\d\d)?",
        ],
        IdentifierKind.VEHICLE: [r"(?=.*[A-Z])(?=.*\d{3})[A-HJ-NPR-Z0-9]{17}"],
        IdentifierKind.ACCOUNT: [
            r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,3})?",
            r"\d{4}(?P<mark>[ -])\d{4}(?P=mark)\d{4}(?P=mark)\d{4}",
        ],
        IdentifierKind.OTHER: [r"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"],
        IdentifierKind.DATE: [
            rf"\d{{4}}[-/.]{_MONTH}([-/.]{_DAY})?([ T].*)?",
            rf"{_DAY}[/.-]{_DAY}[/.-](\d{{4}}|\d{{2}})",
            r"\d{4}[- ]?Q[1-4]",
        ],
        IdentifierKind.PHONE: [
            r"\+\d{1,3}[\s.-]?(\(?\d{1,4}\)?[\s.-]?){2,5}",
            r"(\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}",
            r"0\d{1,4}[ /-]\d{5,9}",
        ],
        IdentifierKind.PLACE: [r"\d{5}-\d{4}"],
        IdentifierKind.ADDRESS: [
            r"\d+[A-Za-z]? [\w .'-]+ "
            r"(St|Street|Ave|Avenue|Road|Rd|Lane|Ln|Blvd|Drive|Dr|Court|Ct|Way)\.?",
            r"[\w .'-]+(str\.|stra(ss|ß)e|weg|gasse|allee|platz) ?\d+ ?[A-Za-z]?",
        ],
    }.items()
}
"""By kind, what most of its values match; the first one counts."""

RESTRICTED_ZIPS = frozenset(
    f"{prefix:03}"
    for prefix in (36, 59, 63, 102, 203, 556, 692, 790, 821, 823, 830, 831, 878, 879, 884, 890, 893)
)
"""First digits of ZIP codes where at most 20,000 people live, as the guidance of the US Department
of Health and Human Services lists them after the census of 2000."""

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_PLAIN = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "\u0131": "i", "ø": "o", "Ø": "O", "æ": "ae"}
)


def words_of(name: str) -> str:
    """Write the name of a column as words without accents.

    Examples
    --------
    >>> words_of("patientID"), words_of("E-Mail_address"), words_of("Numéro_d'assuré")
    ('patient id', 'e mail address', 'numero d assure')
    """
    letters = unicodedata.normalize("NFKD", name.translate(_PLAIN))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(_WORD.findall(plain)).lower()

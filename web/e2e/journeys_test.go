package e2e

import "testing"

// make test runs these journeys, and four others whose names begin with TestJourney. Each takes its
// steps on one page. make deep runs the other steps, on separate pages.

func TestJourneyPlacement(t *testing.T) {
	t.Parallel()
	open(t, "/", keepEngines).journey(exampleIsPlacedOnLoad, exportsAreTheNativeOnes, filesArePlacedAsNatively, everyStepIsExplained, searchIsPlayed, jobIsCarried, challengeIsMet,
		theBestIsShown, rulesAreEdited, cancelKeepsWhatWasShown, killedWorkerIsAMessage)
}

func TestJourneyInputs(t *testing.T) {
	t.Parallel()
	open(t, "/").journey(droppedFilesAreToldApart, pastedInputsAreTaken, editorAndItsTextAreaAreOne, editorMarksProblemsAndUndoes, typingRunsByItself,
		badFilesAreToldAndTheLastResultStays, filesAreRepaired, labelsStayText, filesOfOtherSystemsAreOfferedThere)
}

func TestJourneyQoS(t *testing.T) {
	t.Parallel()
	open(t, "/qos").journey(qosOpensWithTheValidation, qosFilesAreSimulated, qosPoliciesAreChosen, qosBadInputIsToldBesideItAndTheLastResultStays,
		qosTimelineIsPlayedAndDecisionsAreExplained, qosVariantsAreAddedAndEdited, lectureOfDecisions, qosCancelKeepsAPart)
}

func TestJourneyFederate(t *testing.T) {
	t.Parallel()
	open(t, "/federate").journey(mastersRunOnLoad, traceIsRunAsNatively, wrongTracesAreToldWithTheirLine, failuresAreEdited, taskIsExplained, lectureOfMessages, everyTabShowsItsCharts)
}

func TestJourneyKubernetes(t *testing.T) {
	t.Parallel()
	open(t, "/").journey(shopByItsManifests, failureAgainstThePinnedShop)
}

func TestJourneyShare(t *testing.T) {
	t.Parallel()
	open(t, "/").journey(linkNeverOverwritesWork, sharedLinkGivesTheSameResult, badLinkIsToldAndChangesNothing, stageIsFramed, pinnedPlacementIsCompared)
}

func TestJourneyStorage(t *testing.T) {
	t.Parallel()
	open(t, "/").journey(savedScenariosSurviveAReload, exportAndImportOfEverything, typingSurvivesAReload, endOfTheProgramIsSaid, damagedStorageIsSaid)
}

func TestJourneyPolicy(t *testing.T) {
	t.Parallel()
	t.Run("as text", policyAsText)
	t.Run("in a link", policyInALink)
}

func TestJourneyGallery(t *testing.T) {
	t.Parallel()
	open(t, "/gallery#megha-6").journey(numberOfAFigureIsChanged, figureIsRunAndJudged)
}

func TestJourneyAccess(t *testing.T) {
	t.Parallel()
	everyStateIsAccessible(t, "light", light)
}

func TestJourneyPhone(t *testing.T) {
	t.Parallel()
	phoneVisit(t)
}

func TestJourneyFirefox(t *testing.T) {
	t.Parallel()
	visitLaboratories(t, "firefox")
}
